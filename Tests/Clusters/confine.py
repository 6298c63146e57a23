"""Becomes a program under what a unit says of system calls, whose sets are systemd's own; the
kernel holds to them, by libseccomp: confine.py USER ANALYZE FILTER… -- WORDS"""
import ctypes
import os
import subprocess
import sys

ALLOW, REFUSE = 0x7FFF0000, 0x00050001  # EPERM
NO_NEW_PRIVILEGES, NO_WRITE_AND_EXECUTE = 38, 65


def calls(analyze, name):
    """Of one set, with those that it is made of."""
    listed = subprocess.run([analyze, "syscall-filter", "--no-pager", name], text=True, check=True,
                            capture_output=True).stdout
    for word in listed.split("\n")[1:]:
        word = word.strip()
        if word.startswith("@"):
            yield from calls(analyze, word)
        elif word and not word.startswith("#"):
            yield word


def main(user, analyze, *rest):
    filters, words = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    allowed = set(calls(analyze, "@default"))
    for one in filters:
        if one.startswith("~"):
            allowed -= set(calls(analyze, one[1:])) - set(calls(analyze, "@default"))
        else:
            allowed |= set(calls(analyze, one))
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(*[int(user)] * 3)
        os.setresuid(*[int(user)] * 3)
    libc, seccomp = ctypes.CDLL(None, use_errno=True), ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(REFUSE)))
    for name in allowed:
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            seccomp.seccomp_rule_add(rules, ctypes.c_uint32(ALLOW), number, 0)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if libc.prctl(NO_WRITE_AND_EXECUTE, 1, 0, 0, 0) != 0:
        print("this kernel can't deny memory that is written and executed", file=sys.stderr)
    if seccomp.seccomp_load(rules) != 0:
        sys.exit("the filter was not taken")
    os.execv(words[0], list(words))


main(*sys.argv[1:])
