// What the server says in the head of the page about help: whether it sends mail, and how users reach the operator.

function metaOf(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? null;
}

export const sendsMail = metaOf('sibyl-mail') !== 'none';

/** An address of mail or of a page; null if the operator named none. */
export const operatorContact = metaOf('sibyl-contact');
