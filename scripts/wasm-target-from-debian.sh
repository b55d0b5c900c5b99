# shellcheck shell=bash
# For a machine whose rustup is refused: builds the standard library for wasm32 from Debian's source package of the
# very same rustc, and lays it into the toolchain, so that every later cargo call works without flags.
# Sourced by scripts/setup.sh; nothing is installed, and no right but to write to the toolchain is needed.

build_wasm_target_from_debian() {
    local version sysroot work source
    have apt-get && have dpkg-deb || return 1
    version=$(rustc --version | awk '{ print $2 }')
    sysroot=$(rustc --print sysroot)
    [ -w "$sysroot/lib/rustlib" ] || return 1
    work=$slabscope_tools/wasm-target-$version
    say "Building the standard library for wasm32 from Debian's rust-src $version (2 to 4 minutes)"
    mkdir -p "$work"
    fetch_rust_source "$version" "$work" || return 1
    source=$work/package/usr/src/rustc-$version/library
    [ -d "$source/std" ] || return 1
    mkdir -p "$sysroot/lib/rustlib/src/rust"
    [ -e "$sysroot/lib/rustlib/src/rust/library" ] || cp -R "$source" "$sysroot/lib/rustlib/src/rust/library"
    build_empty_library "$work" || return 1
    mkdir -p "$sysroot/lib/rustlib/wasm32-unknown-unknown/lib"
    cp "$work"/target/wasm32-unknown-unknown/release/deps/*.rlib "$sysroot/lib/rustlib/wasm32-unknown-unknown/lib/"
    rm -rf "$work"
}

# fetch_rust_source VERSION FOLDER: unpacks rust-src into FOLDER/package. The package lists live in FOLDER as well:
# backports are not among the machine's own sources, and its lists are not ours to change.
fetch_rust_source() {
    local version=$1 work=$2 mirror suite found
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -v security | head -n 1)
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
    for suite in trixie-backports sid; do
        echo "deb ${mirror:-http://deb.debian.org/debian/} $suite main"
    done >"$work/sources.list"
    (
        cd "$work" || exit 1
        apt_options=(
            -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$work/lists"
            -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root
        )
        apt-get -qq "${apt_options[@]}" update || exit 1
        found=$(apt-cache "${apt_options[@]}" madison rust-src | awk -v want="$version" 'index($3, want) == 1 { print $3; exit }')
        [ -n "$found" ] && apt-get -qq "${apt_options[@]}" download "rust-src=$found" && dpkg-deb -x rust-src_*.deb package
    )
}

build_empty_library() {
    local work=$1
    mkdir -p "$work/empty/src"
    : >"$work/empty/src/lib.rs"
    printf '[package]\nname = "empty"\nedition = "2024"\n[lib]\ncrate-type = ["cdylib"]\n[workspace]\n' >"$work/empty/Cargo.toml"
    (
        cd "$work/empty" || exit 1
        # The standard library's own packages can be compiled by a release compiler only where it is told so.
        RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$work/target cargo build --quiet --release \
            -Zbuild-std=std,panic_abort,test --target wasm32-unknown-unknown
    )
}
