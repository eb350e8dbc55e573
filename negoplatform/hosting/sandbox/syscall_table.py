"""Numbers of the system calls that the filter of an agent's process knows, by processor.

Source: ``asm/unistd_64.h`` and ``asm-generic/unistd.h`` of Linux 6.16.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

_CALLS = """
call               x86_64 aarch64
acct                  163    89
add_key               248   217
adjtimex              159   171
bind                   49   200
bpf                   321   280
chmod                  90     -
chown                  92     -
chroot                161    51
clock_adjtime         305   266
clock_settime         227   112
clone                  56   220
clone3                435   435
delete_module         176   106
fallocate             285    47
fanotify_init         300   262
fanotify_mark         301   263
fchmod                 91    52
fchmodat              268    53
fchmodat2             452   452
fchown                 93    55
fchownat              260    54
fcntl                  72    25
file_setattr          469   469
finit_module          313   273
fremovexattr          199    16
fsconfig              431   431
fsetxattr             190     7
fsmount               432   432
fsopen                430   430
fspick                433   433
futimesat             261     -
getxattr              191     8
getxattrat            464   464
init_module           175   105
inotify_add_watch     254    27
inotify_init          253     -
inotify_init1         294    26
io_setup              206     0
io_uring_enter        426   426
io_uring_register     427   427
io_uring_setup        425   425
ioctl                  16    29
ioperm                173     -
iopl                  172     -
ioprio_set            251    30
kcmp                  312   272
kexec_file_load       320   294
kexec_load            246   104
keyctl                250   219
kill                   62   129
landlock_add_rule     445   445
lchown                 94     -
lgetxattr             192     9
listen                 50   201
listxattr             194    11
listxattrat           465   465
llistxattr            195    12
lremovexattr          198    15
lsetxattr             189     6
memfd_create          319   279
memfd_secret          447   447
migrate_pages         256   238
mmap                    9   222
mount                 165    40
mount_setattr         442   442
move_mount            429   429
move_pages            279   239
mq_open               240   180
mq_unlink             241   181
msgctl                 71   187
msgget                 68   186
msgrcv                 70   188
msgsnd                 69   189
name_to_handle_at     303   264
open_by_handle_at     304   265
open_tree             428   428
open_tree_attr        467   467
perf_event_open       298   241
personality           135    92
pidfd_getfd           438   438
pidfd_open            434   434
pidfd_send_signal     424   424
pivot_root            155    41
prctl                 157   167
prlimit64             302   261
process_madvise       440   440
process_mrelease      448   448
process_vm_readv      310   270
process_vm_writev     311   271
ptrace                101   117
quotactl              179    60
quotactl_fd           443   443
reboot                169   142
removexattr           197    14
removexattrat         466   466
request_key           249   218
rt_sigqueueinfo       129   138
rt_tgsigqueueinfo     297   240
sched_setaffinity     203   122
sched_setattr         314   274
sched_setparam        142   118
sched_setscheduler    144   119
semctl                 66   191
semget                 64   190
semop                  65   193
semtimedop            220   192
sendmmsg              307   269
sendmsg                46   211
sendto                 44   206
setdomainname         171   162
sethostname           170   161
setns                 308   268
setpriority           141   140
setsid                112   157
settimeofday          164   170
setxattr              188     5
setxattrat            463   463
shmat                  30   196
shmctl                 31   195
shmget                 29   194
socket                 41   198
socketpair             53   199
swapoff               168   225
swapon                167   224
sync                  162    81
syncfs                306   267
syslog                103   116
tgkill                234   131
tkill                 200   130
umount2               166    39
unshare               272    97
userfaultfd           323   282
utime                 132     -
utimensat             280    88
utimes                235     -
vmsplice              278    75
"""
"""Names and numbers; a processor without a call has a dash."""


@dataclass(frozen=True, slots=True)
class SyscallTable:
    """System calls of a kind of processor.

    Args:
        architecture: Its number in the description of a call.
        numbers: The numbers of the calls, by their names.
        foreign_bit: Bit of a number by which a process asks for the calls of another table; 0: there is none.
    """

    architecture: int
    numbers: Mapping[str, int] = field(repr=False)
    foreign_bit: int = 0


def _numbers(processor: str) -> dict[str, int]:
    """Return the numbers of a processor's calls by their names."""
    names, *rows = (line.split() for line in _CALLS.strip().splitlines())
    column = names.index(processor)
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


TABLES: Mapping[str, SyscallTable] = MappingProxyType(
    {
        "x86_64": SyscallTable(0xC000003E, _numbers("x86_64"), 0x40000000),
        "aarch64": SyscallTable(0xC00000B7, _numbers("aarch64")),
    }
)
"""Tables by the name that ``platform.machine`` gives; other processors have no filter."""
