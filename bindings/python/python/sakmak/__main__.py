"""`python -m sakmak`: the UCI program on standard input and output."""

import signal
import sys

from ._sakmak import run_uci


def main() -> int:
    if len(sys.argv) > 1:
        print("usage: python -m sakmak (UCI on standard input and output; help lists the commands)", file=sys.stderr)
        return 2
    # The interpreter would notice Ctrl-C only after the end of the program.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    run_uci()
    return 0


if __name__ == "__main__":
    sys.exit(main())
