// Which seller this tab acts on. Each tab has its own; a new one starts with the seller that was chosen last.
const name = "ticketgate-seller";

export function chosenSeller(): string | undefined {
  return sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? undefined;
}

export function chooseSeller(id: string | undefined) {
  for (const storage of [sessionStorage, localStorage]) {
    if (id) storage.setItem(name, id);
    else storage.removeItem(name);
  }
}
