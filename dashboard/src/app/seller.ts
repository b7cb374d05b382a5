// Which seller this tab acts on. Each tab has its own; one that is opened starts with that of the tab it was opened from.
const name = "ticketgate-seller";

export function chosenSeller(): string | undefined {
  return sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? undefined;
}

/** Keeps the seller for this tab, also when its page is loaded anew. */
export function keepSeller(id: string) {
  sessionStorage.setItem(name, id);
}

export function chooseSeller(id: string | undefined) {
  for (const storage of [sessionStorage, localStorage]) {
    if (id) storage.setItem(name, id);
    else storage.removeItem(name);
  }
}

/** Has tabs that are opened from now on start with this one's seller. */
export function lendSeller() {
  const id = sessionStorage.getItem(name);
  if (id && localStorage.getItem(name) !== id) localStorage.setItem(name, id);
}
