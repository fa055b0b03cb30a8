"""`python -m empathic`, and `torchrun -m empathic`."""

from empathic.cli import main

main()
