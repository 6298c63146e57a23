# docs/tutorial.md, from an empty folder to its end; as long as a package takes to build twice.
python3 -B Tests/Examples/tutorial.py --tenure "$tenure" --work "$work/tutorial" \
    || fail "docs/tutorial.md"
