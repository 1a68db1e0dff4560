/* What Rust's standard library needs of Windows' bcryptprimitives.dll, for Wine before version 9, which lacks it.
 * Only tools/dist/check uses it. */
#include <windows.h>

BOOLEAN WINAPI SystemFunction036(PVOID buffer, ULONG length); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) {
    return SystemFunction036(buffer, (ULONG)length);
}
