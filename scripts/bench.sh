#!/usr/bin/env bash
# Load on a release build, beside the build of an earlier commit, which is made first. bench/main.rs says what can be set, and how.
set -euo pipefail
cd "$(dirname "$0")/.."
export SQLX_OFFLINE=true
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")

# What a build is made of: a change of nothing else makes the same program.
changed() { [ -n "$(git status --porcelain -- server proto third_party .sqlx sqlx.toml build.rs Cargo.toml Cargo.lock)" ]; }

# Builds a commit in a work tree of its own, which stays for the next time, as make bench builds what stands here: with the same features.
build() {
  local tree="$target/before/tree"
  if [ -e "$tree/.git" ]; then
    git -C "$tree" checkout --quiet --force --detach "$1"
  else
    git worktree add --quiet --force --detach "$tree" "$1"
  fi
  (cd "$tree" && CARGO_TARGET_DIR="$target/before" cargo bench --locked --quiet --no-run --bench bench)
}

if commit=$(git rev-parse --quiet --verify HEAD 2>/dev/null); then
  BENCH_COMMIT=$(git rev-parse --short "$commit")
  last=HEAD^
  if changed; then
    BENCH_COMMIT+=' with changes'
    last=HEAD
  fi
  export BENCH_COMMIT
  before=${BENCH_BEFORE:-$(git rev-parse --quiet --verify "$last^{commit}" || echo none)}
  if [ "$before" != none ]; then
    BENCH_BEFORE_COMMIT=$(git rev-parse --short --verify "$before^{commit}")
    build "$BENCH_BEFORE_COMMIT"
    export BENCH_BEFORE_COMMIT BENCH_BEFORE_PROGRAM="$target/before/release/goodturn"
  fi
fi
exec cargo bench --locked --quiet --bench bench
