import { Select } from "@/components/field";

export type Option = { value: string; label: string };

type Props = {
  label: string;
  any: string;
  width: string;
  value: string | undefined;
  options: Option[];
  onChange: (value: string) => void;
};

/** A choice of one value, or any. A value that is not among the options is one of them as well. */
export function FilterSelect({ label, any, width, value = "", options, onChange }: Props) {
  const isKnown = value === "" || options.some((option) => option.value === value);
  return (
    <Select aria-label={label} width={width} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{any}</option>
      {isKnown ? null : <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
  );
}
