import {picklist, pipe, string, transform, unknown} from 'valibot';
import type {Schema} from '../../text/schema.ts';
import {type DocumentTable, getProperty} from '../document.ts';
import type {Sourced} from '../sourced.ts';
import {parseColor} from './colors.ts';
import {
	type ThemeChoice,
	type ThemePreferences,
	type ThemeRole,
	themeChoices,
	themeRoles,
} from './preferences.ts';
import type {PreferenceReader} from './reader.ts';

const themeName: Schema<ThemeChoice> = picklist(
	themeChoices,
	`one of ${themeChoices.map(name => `"${name}"`).join(', ')}`,
);

const color: Schema<string> = pipe(
	unknown(),
	transform(parseColor),
	string('a colour: a name such as "red" or "bright-red", a number from 0 to 255, or "#rrggbb"'),
) as Schema<string>;

/** Reads `[theme]`: a name, and colours of roles on top of it. */
export function readThemePreferences(table: DocumentTable, reader: PreferenceReader): ThemePreferences {
	const names = ['name', ...Object.keys(themeRoles)];
	for (const name of Object.keys(table))
		if (!names.includes(name)) reader.reportUnknown(['theme', name], names, 'role');
	const read = <T>(name: string, schema: Schema<T>): Sourced<T> | undefined => {
		const value = getProperty(table, name);
		return value === undefined ? undefined : reader.readValue(['theme', name], value, schema);
	};
	const name = read('name', themeName);
	const roles = Object.keys(themeRoles).flatMap(role => {
		const value = read(role, color);
		return value ? [[role as ThemeRole, value] as const] : [];
	});
	return {...(name && {name}), roles: Object.fromEntries(roles)};
}
