/** Saves a file on this device. Its type says nothing but that it is a file, so that no browser opens it as a page. */
export function saveFile(name: string, content: string, encoding: 'base64' | 'utf8'): void {
  const bytes =
    encoding === 'utf8'
      ? new TextEncoder().encode(content)
      : Uint8Array.from(atob(content), (character) => character.codePointAt(0)!);
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
