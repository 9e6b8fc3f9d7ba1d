// One tab at a time: a Web Lock where the browser has them (secure origins), else every tab for itself.

export async function exclusively<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  // The type promises what an insecure origin does not have.
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return work();
  return locks.request(name, signal === undefined ? {} : { signal }, work);
}
