import { NativeSelect } from '@mantine/core';
import { useSearchParams } from 'react-router';

interface FilterProps {
  label: string;
  /** The URL parameter of the filter. */
  name: string;
  all: string;
  options: { value: string; label: string }[];
}

/** A filter of a list. The value is in the URL, so that the filtered list can be shared and survives a reload. */
export function Filter({ label, name, all, options }: FilterProps) {
  const [params, setParams] = useSearchParams();
  const choose = (value: string) => {
    const { [name]: _, page: _page, ...rest } = Object.fromEntries(params);
    setParams(value === '' ? rest : { ...rest, [name]: value });
  };
  return (
    <NativeSelect
      label={label}
      value={params.get(name) ?? ''}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[{ value: '', label: all }, ...options]}
    />
  );
}

/** Returns the value of a filter, or undefined if the filter is not set or has an unknown value. */
export function useChoice<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
  const [params] = useSearchParams();
  return values.find((value) => value === params.get(name));
}
