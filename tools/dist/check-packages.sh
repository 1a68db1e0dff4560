# shellcheck shell=bash disable=SC2154 # its variables are those of check
# Sourced by check: installs each package in a clean folder and uses it there.

# first_program FILE LANGUAGE: the first program of a README.
first_program() { awk -v start="\`\`\`$2" '$0 == start { on = 1; next } /^```$/ && on { exit } on' "$1"; }

# uci NAME LINES COMMAND...: the answers of a UCI program to LINES.
uci() {
    local name=$1 lines=$2
    shift 2
    printf 'uci\nisready\n%b' "$lines" | timeout 1800 "$@" | tr -d '\r' || fail "$name ends with an error"
}
# uci_bench NAME COMMAND...: it counts the same nodes as the programs.
uci_bench() {
    local answers nodes
    answers=$(uci "$1" 'bench\n' "${@:2}")
    grep -qx uciok <<<"$answers" || fail "$1 does not answer uci"
    nodes=$(sed -n 's/^\([0-9]*\) nodes.*/\1/p' <<<"$answers")
    [ -n "$nodes" ] && [ "${expected:=$nodes}" = "$nodes" ] || fail "$1: bench is '$nodes', others count $expected"
    echo "$1: uci, bench $nodes"
}
expected_search=
# uci_search NAME COMMAND...: it finds the same as all others, on an emulated CPU, where bench takes minutes.
uci_search() {
    local answers found
    answers=$(uci "$1" 'position startpos moves e3e4\ngo depth 8\n' "${@:2}")
    found=$(sed -nE '/^(info depth 8|bestmove) /{s/ (nps|time|hashfull) [0-9]+//g;p}' <<<"$answers" | tail -n 2)
    [[ $found = *bestmove* ]] && [ "${expected_search:=$found}" = "$found" ] ||
        fail "$1 finds '$found', others '$expected_search'"
    echo "$1: uci, depth 8"
}

# windows_parts NAME FILE EXPORT: a library for Windows exports what it should and imports only what each Windows has.
windows_parts() {
    local table extra
    table=$(x86_64-w64-mingw32-objdump -p "$2")
    grep -qw "$3" <<<"$table" || fail "$1 does not export $3"
    extra=$(sed -n 's/.*DLL Name: //p' <<<"$table" |
        grep -viE '^(kernel32|ntdll|ws2_32|userenv|advapi32|dbghelp|bcrypt|bcryptprimitives|msvcrt|python3|api-ms-win-.*)\.dll$' || true)
    [ -z "$extra" ] || fail "$1 imports" $extra
    echo "$1: exports $3, imports only Windows' libraries"
}

check_npm() {
    local tarball=$1 folder=$work/npm
    mkdir "$folder"
    cd "$folder"
    echo '{ "private": true }' >package.json
    npm install --no-audit --no-fund --loglevel=error --prefer-offline "$tarball" >/dev/null || fail "npm package: install"
    sound "npm package" node_modules/sakmak
    first_program node_modules/sakmak/README.md js >first.mjs
    sed "s/^import \(.*\) from \('[^']*'\);.*/const \1 = require(\2);/" first.mjs >first.cjs
    node first.mjs >esm || fail "npm package: the README's first program as ESM"
    node first.cjs >cjs || fail "npm package: the README's first program as CommonJS"
    [ -s esm ] && cmp esm cjs || fail "npm package: ESM and CommonJS differ"
    echo "npm package: installed; the README's first program as ESM and CommonJS"
    uci_bench "npx sakmak" npx --no-install sakmak
    cd "$root"
}

# prints PYTHON...: runs the README's first program; each line is what its comment says.
prints() {
    local program=$work/first.py
    first_program "$root/bindings/python/README.md" python >"$program"
    diff <("$@" "$program" | tr -d '\r') <(sed -n 's/.*# prints //p' "$program") || fail "$name: the README's first program"
    "$@" -c 'from sakmak import pyffish as sf
assert len(sf.legal_moves("makruk", sf.start_fen("makruk"), [])) == 23' || fail "$name: sakmak.pyffish"
    echo "$name: the README's first program, sakmak.pyffish"
}

check_wheel() {
    local name="wheel for x86-64 Linux" venv=$work/venv
    "$python" -m zipfile -e "$1" "$work/wheel"
    sound "$name" "$work/wheel"
    "$python" -m venv "$venv"
    "$venv/bin/python" -m pip install -q --disable-pip-version-check --no-deps --no-index "$1" || fail "$name: pip install"
    cd "$work"
    prints "$venv/bin/python"
    uci_bench "python -m sakmak" "$venv/bin/python" -m sakmak
    uci_search "$name" "$venv/bin/sakmak"
    if get qemu-x86_64 qemu-user; then
        name="$name, CPU without AVX"
        prints qemu-x86_64 -cpu Nehalem "$venv/bin/python"
        uci_search "$name" qemu-x86_64 -cpu Nehalem "$venv/bin/python" -m sakmak
    else
        skip "$name on a CPU without AVX: there is no qemu-user"
    fi
    cd "$root"
}

# aarch64_python FOLDER: unpacks Debian's Python for aarch64 there, without a change to this system.
aarch64_python() {
    local apt=$work/apt package options
    command -v apt-get >/dev/null || return 1
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$1"
    touch "$apt/status"
    options=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State=$apt" -o "Dir::State::Lists=$apt/lists"
        -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache" -o Debug::NoLocking=1 -o APT::Sandbox::User=root)
    { apt-get "${options[@]}" update &&
        apt-get "${options[@]}" install --download-only -y --no-install-recommends python3-minimal libpython3-stdlib; } \
        >/dev/null 2>&1 || return 1
    for package in "$apt/cache/archives/"*.deb; do dpkg-deb -x "$package" "$1"; done
}

check_aarch64_wheel() {
    local name="wheel for aarch64 Linux" system=$work/aarch64 site=$work/aarch64-wheel
    "$python" -m zipfile -e "$1" "$site"
    sound "$name" "$site"
    if ! get qemu-aarch64 qemu-user; then
        skip "$name: there is no qemu-user"
    elif ! aarch64_python "$system"; then
        skip "$name: there is no Python for aarch64"
    else
        cd "$work"
        local emulated=(env "PYTHONPATH=$site" qemu-aarch64 -L "$system")
        emulated+=("$(find "$system/usr/bin" -name 'python3.*' -type f | head -n 1)")
        prints "${emulated[@]}"
        uci_search "$name" "${emulated[@]}" -m sakmak
        cd "$root"
    fi
}

check_sdist() {
    local name="sdist" venv=$work/sdist-venv source=$work/sdist
    mkdir "$source"
    tar -xzf "$1" -C "$source" --strip-components=1
    sound "$name" "$source"
    "$python" -m venv "$venv"
    if ! command -v cargo >/dev/null; then skip "$name: there is no cargo"; return; fi
    if ! "$venv/bin/python" -m pip install -q --disable-pip-version-check 'maturin>=1.9,<2'; then
        skip "$name: maturin cannot be had"
        return
    fi
    # What a lock file out of date says is no fault of the network.
    if ! (cd "$source/bindings/python" && cargo fetch --quiet --locked); then
        cp -r "$source" "$source-unlocked"
        ! (cd "$source-unlocked/bindings/python" && cargo fetch --quiet) || fail "$name: Cargo.lock is out of date"
        skip "$name: its crates cannot be had"
        return
    fi
    (unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS && cd "$work" && PATH=$venv/bin:$PATH "$venv/bin/python" -m pip install \
        -q --disable-pip-version-check --no-deps --no-build-isolation "$1") || fail "$name: pip install"
    cd "$work"
    prints "$venv/bin/python"
    uci_search "$name" "$venv/bin/python" -m sakmak
    cd "$root"
}

# c_programs NAME COMPILER RUN...: compiles the example and the README's first program in `$folder`, with the static and
# the shared library, and runs them by the command RUN.
expected_c=
c_programs() {
    local name=$1 compiler=$2 flags=(-std=c11 -Wall -Wextra -Werror -Iinclude) program found libraries
    shift 2
    cd "$folder"
    read -ra libraries < <(sed -n 's/^Libs.private: //p' lib/pkgconfig/sakmak.pc)
    first_program README.md c >first.c
    "$compiler" "${flags[@]}" examples/analyse.c lib/libsakmak.a "${libraries[@]}" -o static.exe
    "$compiler" "${flags[@]}" examples/analyse.c -Llib -lsakmak -o shared.exe
    "$compiler" "${flags[@]}" first.c lib/libsakmak.a "${libraries[@]}" -o first.exe
    [ ! -e bin/sakmak.dll ] || cp bin/sakmak.dll .
    "$@" ./first.exe | grep -q '^bestmove ' || fail "$name: the README's first program"
    for program in static shared; do
        found=$("$@" "./$program.exe" e3e4 Nd7 | tr -d '\r' | sed -E 's/ (nps|time|hashfull) [0-9]+//g' | tail -n 2)
        [[ $found = *bestmove* ]] && [ "${expected_c:=$found}" = "$found" ] ||
            fail "$name, $program library: the example finds '$found', others '$expected_c'"
    done
    echo "$name: the README's first program, the example with the static and the shared library"
    cd "$root"
}

check_c() {
    local libraries=$folder/lib
    c_programs "C library for x86-64 Linux" cc env "LD_LIBRARY_PATH=$libraries"
    if get qemu-x86_64 qemu-user; then
        c_programs "C library for x86-64 Linux, CPU without AVX" cc \
            qemu-x86_64 -cpu Nehalem -E "LD_LIBRARY_PATH=$libraries"
    else
        skip "C library on a CPU without AVX: there is no qemu-user"
    fi
    if get pkg-config pkg-config; then
        local -x PKG_CONFIG_PATH=$libraries/pkgconfig
        local shared static
        [ "$(pkg-config --modversion sakmak)" = "$version" ] || fail "C library: pkg-config's version"
        read -ra shared < <(pkg-config --cflags --libs sakmak)
        read -ra static < <(pkg-config --cflags --libs --static sakmak)
        cc "$folder/first.c" "${shared[@]}" -o "$work/by-pkg-config"
        LD_LIBRARY_PATH=$libraries "$work/by-pkg-config" | grep -q '^bestmove ' || fail "C library: pkg-config, shared"
        cc "$folder/first.c" "${static[@]/-lsakmak/$libraries/libsakmak.a}" -o "$work/by-pkg-config"
        "$work/by-pkg-config" | grep -q '^bestmove ' || fail "C library: pkg-config, static"
        echo "C library: pkg-config"
    else
        skip "C library: there is no pkg-config"
    fi
}

tarball=$(find "$dist" -maxdepth 1 -name 'sakmak-*.tgz')
if [ -z "$tarball" ]; then
    skip "npm package: there is none"
elif get npm nodejs npm; then
    check_npm "$tarball"
else
    skip "npm package: there is no npm"
fi

python=${PYTHON:-python3}
wheel=$(find "$dist" -maxdepth 1 -name 'sakmak-*manylinux*x86_64.whl')
if [ -z "$wheel" ]; then
    skip "Python package: there is none"
elif ! "$python" -c 'import ensurepip' 2>/dev/null; then
    skip "Python package: there is no Python with venv"
else
    check_wheel "$wheel"
    wheel=$(find "$dist" -maxdepth 1 -name 'sakmak-*manylinux*aarch64.whl')
    if [ -n "$wheel" ]; then check_aarch64_wheel "$wheel"; else skip "wheel for aarch64: there is none"; fi
    wheel=$(find "$dist" -maxdepth 1 -name 'sakmak-*win_amd64.whl')
    if [ -z "$wheel" ]; then
        skip "wheel for Windows: there is none"
    elif get x86_64-w64-mingw32-objdump binutils-mingw-w64-x86-64; then
        "$python" -m zipfile -e "$wheel" "$work/windows-wheel"
        sound "wheel for Windows" "$work/windows-wheel"
        windows_parts "wheel for Windows" "$work/windows-wheel/sakmak/_sakmak.pyd" PyInit__sakmak
        skip "wheel for Windows: it was not run, no registry in use here has a Python for Windows"
    else
        skip "wheel for Windows: there is no binutils-mingw-w64-x86-64"
    fi
    check_sdist "$(find "$dist" -maxdepth 1 -name "sakmak-$version.tar.gz")"
fi

if ! unpacked 'libsakmak-*-x86_64-linux.tar.gz'; then
    skip "C library: $missing"
elif ! get cc gcc libc6-dev; then
    skip "C library: there is no C compiler"
else
    check_c
    if ! unpacked 'libsakmak-*-aarch64-linux.tar.gz'; then
        skip "C library for aarch64: $missing"
    elif get qemu-aarch64 qemu-user && get aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross; then
        c_programs "C library for aarch64 Linux" aarch64-linux-gnu-gcc \
            qemu-aarch64 -L /usr/aarch64-linux-gnu -E "LD_LIBRARY_PATH=$folder/lib"
    else
        skip "C library for aarch64: there is no qemu-user or gcc-aarch64-linux-gnu"
    fi
    if ! unpacked 'libsakmak-*-x86_64-windows.zip'; then
        skip "C library for Windows: $missing"
    elif ! get x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64; then
        skip "C library for Windows: there is no gcc-mingw-w64-x86-64"
    else
        windows_parts "C library for Windows" "$folder/bin/sakmak.dll" sakmak_command
        if get_wine; then
            for_wine "$folder"
            c_programs "C library for Windows" x86_64-w64-mingw32-gcc "$wine"
        else
            skip "C library for Windows: there is no Wine"
        fi
    fi
fi
