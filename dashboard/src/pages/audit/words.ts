/** Turns an identifier into words: "createApiKey" becomes "Create API key", "seller.settings" becomes "Seller settings". */
export function inWords(identifier: string): string {
  const words = identifier
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s._-]+/)
    .filter(Boolean)
    .map((word) => shortened[word.toLowerCase()] ?? word.toLowerCase());
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const shortened: Record<string, string> = { api: "API", url: "URL", id: "ID", qr: "QR" };
