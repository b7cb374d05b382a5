// Which seller this tab acts on. Each tab has its own; one that is opened starts with that of the tab it was opened from.
// It is kept as "seller user": whoever signs in where somebody else was before does not ask for a seller of theirs.
const name = "ticketgate-seller";
const lastUser = "ticketgate-user";

export function chosenSeller(): string | undefined {
  const user = localStorage.getItem(lastUser);
  return [sessionStorage, localStorage]
    .map((storage) => storage.getItem(name)?.split(" ") ?? [])
    .find(([, chosenBy]) => chosenBy === user)?.[0];
}

/** Has choices count in this browser that this user has made, and no others. */
export function chooseAs(user: string) {
  if (localStorage.getItem(lastUser) !== user) localStorage.setItem(lastUser, user);
}

/** Keeps the seller for this tab, also when its page is loaded anew. */
export function keepSeller(id: string) {
  sessionStorage.setItem(name, `${id} ${localStorage.getItem(lastUser)}`);
}

export function chooseSeller(id: string) {
  keepSeller(id);
  lendSeller();
}

export function forgetSeller() {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(name);
}

/** Has tabs that are opened from now on start with this one's seller. */
export function lendSeller() {
  const kept = sessionStorage.getItem(name);
  if (kept && localStorage.getItem(name) !== kept) localStorage.setItem(name, kept);
}
