import { Text } from '@mantine/core';
import type { Outputs } from '../api/client.ts';

type Application = NonNullable<Outputs['applications']['get']>;

/** Questions with their answers. An address in an answer is shown as plain text, because it comes from a stranger. */
export function Answers({ answers }: Pick<Application, 'answers'>) {
  return answers.map(({ question, answer }) => (
    <Text key={question} size="sm" component="div">
      <Text span size="sm" c="dimmed">
        {question}
      </Text>{' '}
      {answer}
    </Text>
  ));
}
