# shellcheck shell=bash disable=SC2154 # its variables are those of build
# Sourced by build, in the copy of the repository: the packages of bindings/.

if wanted npm; then
    need npm npm npm
    need_target wasm32-unknown-unknown npm
    node_build bindings/js
    (cd bindings/js && npm pack --ignore-scripts --silent --pack-destination "$out")
fi

if wanted python; then
    need python3 python3-venv python
    wheels=(sdist $linux)
    if ! skips aarch64; then
        needs_aarch64
        wheels+=(aarch64-unknown-linux-gnu)
    fi
    if ! skips windows; then
        needs_windows
        wheels+=(x86_64-pc-windows-gnu)
    fi
    # Kept for the next build.
    mkdir -p "$build/python"
    ln -s "$build/python" bindings/python/target
    bindings/python/wheels "${wheels[@]}" >&2
    for file in bindings/python/dist/*; do
        cp "$file" "$out/"
        basename "$file"
    done
fi

# c_library TARGET NAME FLAGS LIBRARIES: builds the C library and stages the archive NAME. LIBRARIES are what a program
# with the static library needs.
c_library() {
    local folder=$build/stage/$2 built=$build/c/$1/release repository
    RUSTFLAGS="$3 $remap" cargo build --release --locked --quiet --manifest-path bindings/c/Cargo.toml \
        --target "$1" --target-dir "$link/c" >&2
    rm -rf "$folder"
    mkdir -p "$folder/include" "$folder/lib/pkgconfig" "$folder/examples"
    cp LICENSE-MIT LICENSE-APACHE "$folder/"
    cp tools/dist/libsakmak.md "$folder/INSTALL.md"
    # Its links lead to the repository.
    repository=$(sed -n 's/^repository = "\(.*\)"/\1/p' Cargo.toml)
    sed -E "s,\]\((\.\./\.\./),]($repository/blob/main/,g; s,\]\(sakmak\.h\),](include/sakmak.h),g" \
        bindings/c/README.md >"$folder/README.md"
    cp bindings/c/sakmak.h "$folder/include/"
    cp bindings/c/examples/analyse.c "$folder/examples/"
    sed "s,@version@,$version,; s,@libraries@,$4,; s,@repository@,$repository," tools/dist/sakmak.pc \
        >"$folder/lib/pkgconfig/sakmak.pc"
    cp "$built/libsakmak.a" "$folder/lib/"
    if [ -e "$built/sakmak.dll" ]; then
        mkdir "$folder/bin"
        cp "$built/sakmak.dll" "$folder/bin/"
        cp "$built/libsakmak.dll.a" "$folder/lib/"
    else
        cp "$built/libsakmak.so" "$folder/lib/"
    fi
}

if wanted c; then
    soname="-C link-arg=-Wl,-soname,libsakmak.so"
    c_library $linux "libsakmak-$version-x86_64-linux" "-C target-cpu=x86-64 $soname" "-lpthread -ldl -lm"
    tar_of "libsakmak-$version-x86_64-linux"
    if ! skips aarch64; then
        needs_aarch64
        c_library aarch64-unknown-linux-gnu "libsakmak-$version-aarch64-linux" "$soname" "-lpthread -ldl -lm"
        tar_of "libsakmak-$version-aarch64-linux"
    fi
    if ! skips windows; then
        needs_windows
        c_library x86_64-pc-windows-gnu "libsakmak-$version-x86_64-windows" "-C target-cpu=x86-64 $no_timestamp" \
            "-lkernel32 -lntdll -luserenv -lws2_32 -ldbghelp"
        zip_of "libsakmak-$version-x86_64-windows"
    fi
fi
