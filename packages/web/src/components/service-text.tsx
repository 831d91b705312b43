import { useQuery } from '@tanstack/react-query';
import { messageInLanguage } from '../api/in-language.ts';
import { readableText } from './readable-message.ts';

/** Shows a message of the service that is part of a record, in the page's language. */
export function ServiceText({ text }: { text: string }) {
  const { data } = useQuery({
    queryKey: ['in-language', text],
    queryFn: () => messageInLanguage(text),
    staleTime: Infinity,
  });
  return readableText(data ?? '');
}
