/** Saves a file on the user's device. The file has a generic type, so that no browser opens it as a page. */
export function saveFile(name: string, content: string, encoding: 'base64' | 'utf8'): void {
  const bytes =
    encoding === 'utf8'
      ? new TextEncoder().encode(content)
      : Uint8Array.from(atob(content), (character) => character.codePointAt(0)!);
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
