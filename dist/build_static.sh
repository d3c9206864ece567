#!/bin/bash
# Makes dist/out/profkit, one program for Linux that needs no other file, and LICENSES beside it.
#
#     dist/build_static.sh [FOLDER]                  for this processor; built in FOLDER, else in build-static
#     dist/build_static.sh --for aarch64 [FOLDER]    for another one (x86_64, aarch64): dist/out/aarch64/profkit
#
# On Debian 12, as root or with the packages below installed. SQLite, expat, zlib, zstd, lz4, libdeflate, PCRE2,
# libedit, libiberty and elfutils are Debian's static libraries; those of another processor are unpacked into FOLDER, not
# installed. Graphviz is built from Debian's sources: sources.txt has its version and hashes. What was built before
# is built again only where something changed. The status is 3 if packages or sources are not available.
# shellcheck disable=SC2046,SC2086 # lists of words
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
own=$(uname -m)
machine=$own
if [ "${1-}" = --for ]; then
    machine=$2
    shift 2
fi
case $machine in
x86_64) arch=amd64 ;;
aarch64) arch=arm64 ;;
*) echo "build_static.sh: '$machine' is not one of: x86_64, aarch64" >&2 && exit 2 ;;
esac
triple=$machine-linux-gnu
suffix=
[ "$machine" = "$own" ] || suffix=$machine
work=${1:-$top/build-static${suffix:+-$suffix}}
out=$here/out${suffix:+/$suffix}
mkdir -p "$work"
work=$(cd "$work" && pwd)
jobs=${JOBS:-$(nproc)}
packages="make autoconf automake pkg-config bison flex dpkg-dev patch xz-utils bzip2"
libraries="libsqlite3-dev libexpat1-dev libzstd-dev liblz4-dev libdeflate-dev zlib1g-dev libpcre2-dev libedit-dev libbsd-dev libmd-dev
    libncurses-dev libiberty-dev libdw-dev libelf-dev libbz2-dev liblzma-dev"
CFLAGS=${CFLAGS:--O2 -g -ffunction-sections -fdata-sections}
tools=
sysroot=
prefix=$work/prefix
if [ "$suffix" ]; then
    packages="$packages gcc-${triple//_/-} libc6-dev-$arch-cross"
    sysroot=$work/sysroot
    prefix=$sysroot/usr
    tools=$triple-
    CC="${CC:-${tools}gcc} -isystem $sysroot/usr/include -isystem $sysroot/usr/include/$triple -L$sysroot/usr/lib/$triple"
    export PKG_CONFIG=pkg-config PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig:$prefix/lib/$triple/pkgconfig PKG_CONFIG_SYSROOT_DIR=$sysroot
else
    packages="$packages gcc $libraries"
    CC=${CC:-gcc}
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
fi

install_packages() {
    local package missing=
    for package in $packages; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" != 0 ]; then
        echo "install first:$missing" >&2
        exit 1
    fi
    echo "Installing$missing"
    apt-get -qq update || true
    # Another one may be installing its packages.
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=600 --no-install-recommends install $missing >/dev/null || exit 3
}

# apt-get with sources and packages of the processor from where this machine has its packages. It has lists of its
# own; those of this machine stay as they are.
apt() {
    local file
    if [ ! -d "$work/apt" ]; then
        mkdir -p "$work/apt/parts" "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
        : >"$work/apt/status"
        for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
            ! grep -q debian "$file" 2>/dev/null ||
                sed 's/^Types:.*/Types: deb deb-src/; /^deb /{p;s/^deb /deb-src /}' "$file" >"$work/apt/parts/${file##*/}"
        done
        apt update
    fi
    apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/apt/parts" \
        -o Dir::State::lists="$work/apt/lists" -o Dir::State::status="$work/apt/status" -o Dir::Cache="$work/apt/cache" \
        -o APT::Sandbox::User=root -o APT::Architecture=$arch -o APT::Architectures::=$arch "$@"
}

# The static libraries and headers of the other processor.
unpack_libraries() {
    local file
    [ "$(cat "$work/libraries.stamp" 2>/dev/null)" != "$libraries" ] || return 0
    echo "Unpacking libraries of $arch"
    rm -rf "$sysroot" "$work/debs"
    mkdir -p "$sysroot" "$work/debs"
    (cd "$work/debs" && apt download $libraries) || exit 3
    for file in "$work/debs/"*.deb; do
        dpkg-deb -x "$file" "$sysroot"
    done
    echo "$libraries" >"$work/libraries.stamp"
}

fetch() {
    local package=$1 version=$2
    (cd "$work/sources" && grep -E "^[0-9a-f]{64}  ${package}_" "$here/sources.txt" | sha256sum --status -c 2>/dev/null) &&
        return
    (cd "$work/sources" && apt source --download-only "$package=$version" >/dev/null &&
        grep -E "^[0-9a-f]{64}  ${package}_" "$here/sources.txt" | sha256sum --quiet -c)
}

unpack() {
    rm -rf "${work:?}/$1"
    dpkg-source --no-check -x "$work/sources/$1_"*.dsc "$work/$1" >/dev/null
}

build_graphviz() {
    local version=${1%%-*}
    unpack graphviz
    mkdir -p "$work/graphviz-build"
    (cd "$work/graphviz-build" && make -s -j"$jobs" -f "$here/graphviz.mk" SOURCE=../graphviz VERSION="$version" \
        PREFIX="$prefix" AR="${tools}ar" CC="$CC" CFLAGS="$CFLAGS" install)
}

# The stamp of a library covers everything that it is made of.
library() {
    local package=$1 version=$2 stamp
    stamp=$({ declare -f "build_$package"; echo "$CC $CFLAGS"; cat "$here/sources.txt" "$here/graphviz.mk"; } | sha256sum)
    [ "$(cat "$work/$package.stamp" 2>/dev/null)" != "$stamp" ] || return 0
    echo "Building $package $version"
    mkdir -p "$work/sources"
    fetch "$package" "$version" || exit 3
    "build_$package" "$version" >"$work/$package.log" 2>&1 || {
        tail -n 30 "$work/$package.log"
        exit 1
    }
    echo "$stamp" >"$work/$package.stamp"
}

build_profkit() {
    echo "Building profkit"
    [ -x "$top/configure" ] || "$top/autogen.sh" >"$work/autogen.log" 2>&1
    mkdir -p "$work/profkit"
    (
        cd "$work/profkit"
        [ -f Makefile ] || "$top/configure" -q ${suffix:+--host=$triple} --enable-static-program \
            --disable-dependency-tracking CC="$CC" CFLAGS="$CFLAGS" LDFLAGS="-Wl,--gc-sections ${LDFLAGS-}"
        make -s -j"$jobs" profkit 2>"$work/profkit.log" >/dev/null || {
            tail -n 30 "$work/profkit.log"
            exit 1
        }
    )
}

# The licence of everything that is linked in, as Debian has it.
licenses() {
    local package file
    echo "profkit"
    cat "$top/COPYING"
    for package in libsqlite3-dev libexpat1-dev zlib1g-dev libzstd-dev liblz4-dev libdeflate-dev libpcre2-dev graphviz \
        libedit-dev libiberty-dev libdw-dev libbz2-1.0 liblzma-dev libtinfo6 libbsd-dev libmd-dev libc6-dev libgcc-12-dev; do
        printf '\n\n======== %s\n\n' "$package"
        for file in "$work/$package/debian/copyright" "$sysroot/usr/share/doc/$package/copyright" \
            "/usr/share/doc/$package/copyright"; do
            [ ! -f "$file" ] || break
        done
        if [ -f "$file" ]; then cat "$file"; else echo "(in the package $package of Debian)"; fi
    done
    printf '\n\n======== Texts that are named above\n'
    for file in LGPL-2.1 LGPL-3 GPL-2 GPL-3; do
        printf '\n\n======== %s\n\n' $file
        cat /usr/share/common-licenses/$file 2>/dev/null || echo "(not here: see gnu.org/licenses)"
    done
}

install_packages
[ -z "$suffix" ] || unpack_libraries
while read -r first second rest; do
    case $first in
    '#'* | ????????????????????????????????????????????????????????????????) ;;
    *) library "$first" "$second" ;;
    esac
done <"$here/sources.txt"
build_profkit
mkdir -p "$out"
"${tools}strip" -o "$out/profkit" "$work/profkit/profkit"
licenses >"$out/LICENSES"
ls -l "$out/profkit" "$out/LICENSES"
[ "$suffix" ] || "$out/profkit" --version
