import {array, picklist, pipe, string, transform, union} from 'valibot';
import type {Schema} from '../../text/schema.ts';
import {type DocumentTable, isTable} from '../document.ts';
import type {KeyPreferences, KeySetting} from './preferences.ts';
import type {PreferenceReader} from './reader.ts';

export const keyPresetNames = ['vim', 'k9s', 'lazygit'] as const;

const keysRule = 'a key such as "x", several in [ ], or "none"';

/** One key, several, or none. */
export const keyList: Schema<readonly string[]> = pipe(
	union([string(), array(string())], keysRule),
	transform(value => [value].flat().filter(key => key !== 'none')),
) as Schema<readonly string[]>;

const presetName: Schema<(typeof keyPresetNames)[number]> = picklist(
	keyPresetNames,
	`one of ${keyPresetNames.map(name => `"${name}"`).join(', ')}`,
);

/** Reads `[keys]`. A dot in the id of an action makes tables in TOML: `go.back` is `back` of `go`. */
export function readKeys(table: DocumentTable, reader: PreferenceReader): KeyPreferences {
	const settings: KeySetting[] = [];
	const preset =
		table.preset === undefined ? undefined : reader.readValue(['keys', 'preset'], table.preset, presetName);
	const collect = (values: DocumentTable, path: readonly string[]) => {
		for (const [name, value] of Object.entries(values)) {
			const valuePath = [...path, name];
			if (isTable(value)) collect(value, valuePath);
			else if (valuePath.join('.') !== 'keys.preset') {
				const keys = reader.readValue(valuePath, value, keyList);
				if (keys)
					settings.push({
						id: valuePath.slice(1).join('.'),
						keys: keys.value,
						...reader.findPosition(valuePath),
					});
			}
		}
	};
	collect(table, ['keys']);
	return {...(preset && {preset}), settings: settings.toSorted((one, other) => one.line - other.line)};
}
