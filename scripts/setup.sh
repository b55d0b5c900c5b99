# shellcheck shell=bash
# What scripts/serve and scripts/test stand on: finds each tool, or sets it up, or names it as missing.
#
#   source scripts/setup.sh
#   setup compiler rust wasm_target trunk …     one function of this file per word, in this order
#   report_missing                              names what could not be set up; false if there is any
#
# Tools go to a cache outside the clone, a folder a version, so that a fresh clone builds none of them again. One on
# PATH is used if its version is the right one. Runs on bash 3.2, which macOS still ships.

slabscope_tools=${SLABSCOPE_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/slabscope/tools}
trunk_version=0.21.14
node_major=20
missing=()
# rustup puts its programs here, and a shell that was open before does not know it yet.
PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin

say() { printf '==> %s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }
is_macos() { [ "$(uname -s)" = Darwin ]; }

# lacks TOOL HOW-TO-GET-IT: remembers what the run must fail for, and goes on with what can be done without it.
lacks() {
    missing+=("$1: $2")
    printf 'missing: %s\n         %s\n' "$1" "$2" >&2
}

# The version of a crate as Cargo.lock has it.
locked_version() {
    awk -v want="name = \"$1\"" '$0 == want { getline; gsub(/version = |"/, ""); print; exit }' Cargo.lock
}

setup() {
    local part
    for part in "$@"; do "setup_$part"; done
}

report_missing() {
    [ "${#missing[@]}" -gt 0 ] || return 0
    printf '\nMissing, and needed:\n' >&2
    printf '  %s\n' "${missing[@]}" >&2
    return 1
}

# apt_packages WHY SECONDS PACKAGE…: installs them as root; otherwise says what to type. False if they are not there.
apt_packages() {
    local why=$1 seconds=$2
    shift 2
    if ! have apt-get; then
        lacks "$why" "install these with your package manager: $*"
        return 1
    fi
    if [ "$(id -u)" -ne 0 ]; then
        lacks "$why" "needs root; type: sudo apt-get update && sudo apt-get install -y --no-install-recommends $*"
        return 1
    fi
    say "Installing $* (about $seconds s)"
    if apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >/dev/null; then
        return 0
    fi
    lacks "$why" "apt-get could not install: $*"
    return 1
}

setup_compiler() {
    have cc && return 0
    if is_macos; then
        lacks "C compiler" "type: xcode-select --install"
        return 0
    fi
    apt_packages "C compiler" 30 gcc libc6-dev || true
}

setup_rust() {
    local want found
    want=$(awk -F'"' '/^channel/ { print $2 }' rust-toolchain.toml)
    found=$(rustc --version 2>/dev/null | awk '{ print $2 }' || true)
    if [ "$found" = "$want" ] && cargo clippy --version >/dev/null 2>&1 && cargo fmt --version >/dev/null 2>&1; then
        return 0
    fi
    if ! have rustup; then
        lacks "Rust $want" "install rustup from https://rustup.rs and start again"
        return 0
    fi
    say "Installing Rust $want (about 60 s)"
    if rustup toolchain install "$want" --profile minimal --component clippy --component rustfmt; then
        return 0
    fi
    # A machine that reaches no toolchain server may still have this version under the name of its channel.
    if [ "$(rustc +stable --version 2>/dev/null | awk '{ print $2 }')" = "$want" ]; then
        export RUSTUP_TOOLCHAIN=stable
        return 0
    fi
    lacks "Rust $want" "type: rustup toolchain install $want --profile minimal --component clippy --component rustfmt"
}

has_wasm_target() {
    local libraries
    libraries=$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null) || return 1
    compgen -G "$libraries/libstd-*.rlib" >/dev/null
}

setup_wasm_target() {
    has_wasm_target && return 0
    if have rustup; then
        say "Adding the target wasm32-unknown-unknown (about 5 s)"
        rustup target add wasm32-unknown-unknown && has_wasm_target && return 0
    fi
    # shellcheck source=scripts/wasm-target-from-debian.sh
    source scripts/wasm-target-from-debian.sh
    build_wasm_target_from_debian && has_wasm_target && return 0
    lacks "target wasm32-unknown-unknown" "type: rustup target add wasm32-unknown-unknown"
}

# tool_is WORDS PROGRAM…: whether each program is on PATH and calls itself PROGRAM WORDS.
tool_is() {
    local version=$1 program
    shift
    for program in "$@"; do
        [ "$("$program" --version 2>/dev/null | awk '{ print $2; exit }')" = "$version" ] || return 1
    done
}

# cargo_tool CRATE VERSION TIME "PROGRAM…" INSTALL-OPTION…: puts a crate's programs on PATH, in that version.
cargo_tool() {
    local crate=$1 version=$2 time=$3 programs=$4
    local root=$slabscope_tools/$crate-$version
    shift 4
    # shellcheck disable=SC2086 # a list of words
    tool_is "$version" $programs && return 0
    PATH=$root/bin:$PATH
    # shellcheck disable=SC2086 # a list of words
    tool_is "$version" $programs && return 0
    say "Building $crate $version once, into $root ($time on 2 cores)"
    mkdir -p "$root"
    # The build folder goes with the tool, so that an install that was broken off starts where it was.
    if CARGO_TARGET_DIR=$root/build cargo install --locked --root "$root" "$crate" --version "$version" "$@"; then
        rm -rf "$root/build"
    else
        lacks "$crate $version" "type: cargo install --locked $crate --version $version"
    fi
}

setup_wasm_bindgen() {
    # The crate and its command must be of the same version to the digit.
    cargo_tool wasm-bindgen-cli "$(locked_version wasm-bindgen)" "about 3 minutes" "wasm-bindgen wasm-bindgen-test-runner"
}

setup_trunk() {
    # The release profile of trunk links with fat LTO, which doubles the time and gains nothing here.
    CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=1 \
        cargo_tool trunk "$trunk_version" "8 to 10 minutes" trunk --no-default-features --features rustls
}

setup_node() {
    local major
    major=$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/' || true)
    if [ "${major:-0}" -lt "$node_major" ] || ! have npm; then
        lacks "Node $node_major or later, with npm" "$(is_macos && echo 'type: brew install node' || echo 'see https://nodejs.org')"
        return 0
    fi
    PATH=$PWD/node_modules/.bin:$PATH
    cmp -s package-lock.json node_modules/.installed-from && return 0
    say "Installing the npm packages of package-lock.json (about 10 s)"
    if npm ci --ignore-scripts --no-audit --no-fund --loglevel=error; then
        cp package-lock.json node_modules/.installed-from
    else
        lacks "npm packages" "type: npm ci --ignore-scripts"
    fi
}

# The first browser of the Chromium family: playwright-core drives it, and it gets no download of its own.
find_chromium() {
    local candidate
    for candidate in "${SLABSCOPE_CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Chromium.app/Contents/MacOS/Chromium" \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
        [ -n "$candidate" ] && have "$candidate" || continue
        command -v "$candidate"
        return 0
    done
    return 1
}

find_chromedriver() { command -v "${CHROMEDRIVER:-chromedriver}"; }

setup_browser() {
    if ! { find_chromium && find_chromedriver; } >/dev/null; then
        if is_macos; then
            lacks "Chromium and its driver" "type: brew install --cask google-chrome chromedriver"
            return 0
        fi
        apt_packages "Chromium and its driver" 60 chromium chromium-driver || return 0
    fi
    SLABSCOPE_CHROMIUM=$(find_chromium) && CHROMEDRIVER=$(find_chromedriver) || {
        lacks "Chromium and its driver" "set SLABSCOPE_CHROMIUM and CHROMEDRIVER to where they are"
        return 0
    }
    export SLABSCOPE_CHROMIUM CHROMEDRIVER
}

# Counts instructions; there is none for Apple's processors, so on macOS nothing is counted.
setup_valgrind() {
    have valgrind || is_macos || apt_packages "valgrind" 20 valgrind || true
}
