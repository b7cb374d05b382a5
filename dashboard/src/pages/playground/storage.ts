/**
 * The storage of the editor's tabs and history: in this browser tab and by user ID. A reload loses nothing, and the next user
 * finds nothing.
 */
export function storageOf(userId: string) {
  const prefix = `playground:${userId}:`;
  const own = () => Object.keys(sessionStorage).filter((name) => name.startsWith(prefix));
  return {
    get length() {
      return own().length;
    },
    getItem: (name: string) => sessionStorage.getItem(prefix + name),
    setItem: (name: string, value: string) => sessionStorage.setItem(prefix + name, value),
    removeItem: (name: string) => sessionStorage.removeItem(prefix + name),
    clear: () => {
      for (const name of own()) sessionStorage.removeItem(name);
    },
  };
}
