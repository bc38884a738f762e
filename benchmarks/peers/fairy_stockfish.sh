#!/bin/sh
# Builds Fairy-Stockfish for this machine, from the sources that the package pyffish carries:
#   sh benchmarks/peers/fairy_stockfish.sh FOLDER
# writes FOLDER/fairy-stockfish, for `strength_breakthrough.py fairy --fairy FOLDER/fairy-stockfish`.
# Needs a C++ compiler and pip. The program is not part of Petteia (GPL-3).
set -eu

[ $# = 1 ] || { echo "usage: sh $0 FOLDER" >&2; exit 2; }
mkdir -p "$1"
folder=$(CDPATH='' cd -- "$1" && pwd)
sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT

python3 -m pip download --quiet --no-deps --no-binary :all: --dest "$sources" pyffish
tar xzf "$sources"/pyffish-*.tar.gz -C "$sources"
cd "$sources"/pyffish-*/src

# Without the networks, which it does not have for Breakthrough: its evaluation is written by hand.
flags='-O3 -DNDEBUG -std=c++17 -march=native -flto=auto -pthread -DIS_64BIT -DNNUE_EMBEDDING_OFF'
for feature in popcnt:USE_POPCNT sse2:USE_SSE2 ssse3:USE_SSSE3 sse4_1:USE_SSE41 avx2:USE_AVX2 bmi2:USE_PEXT; do
    if grep -qw "${feature%%:*}" /proc/cpuinfo; then flags="$flags -D${feature##*:}"; fi
done
# shellcheck disable=SC2046,SC2086  # lists of words
${CXX:-g++} $flags $(find . -name '*.cpp' ! -name ffishjs.cpp ! -name pyffish.cpp) -o "$folder/fairy-stockfish"
echo "$folder/fairy-stockfish, from $(basename "$sources"/pyffish-*.tar.gz)"
