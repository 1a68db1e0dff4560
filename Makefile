# Builds the engine the way OpenBench asks for it: make -j EXE=name [EVALFILE=network]
# Builds OpenBench's match runner the way its client asks for it, as `fastchess`: make -j CXX=compiler
# Needs cargo (https://rustup.rs) and nothing else; `cargo build --release` does the same.
# CPU: as .cargo/config.toml says, or RUSTFLAGS="-C target-cpu=native" make ...

# Only the match runner is asked for with CXX and without EXE.
ifeq ($(origin CXX) $(origin EXE),command line undefined)
.DEFAULT_GOAL := fastchess
endif

EXE ?= sakmak
CARGO ?= cargo
CARGO_TARGET_DIR ?= target

ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
PROGRAM := $(patsubst %.exe,%,$(EXE))$(SUFFIX)

# Without EVALFILE, the network of the repository is compiled in.
ifneq ($(EVALFILE),)
export SAKMAK_NETWORK := $(EVALFILE)
endif

# The archives of a release, in target/dist (docs/releases.md); dist-check runs what is in them.
.PHONY: all fastchess dist dist-check
all:
	+$(CARGO) build --release --locked --package sakmak-engine --bin sakmak --target-dir "$(CARGO_TARGET_DIR)"
	cp "$(CARGO_TARGET_DIR)/release/sakmak$(SUFFIX)" "$(PROGRAM).new"
	mv "$(PROGRAM).new" "$(PROGRAM)"

# Under this name the tools are the command `sakmak-tools fastchess`.
fastchess:
	+$(CARGO) build --release --locked --package sakmak-tools --bin sakmak-tools --target-dir "$(CARGO_TARGET_DIR)"
	cp "$(CARGO_TARGET_DIR)/release/sakmak-tools$(SUFFIX)" "fastchess$(SUFFIX).new"
	mv "fastchess$(SUFFIX).new" "fastchess$(SUFFIX)"

dist:
	tools/dist/build

dist-check:
	tools/dist/check
