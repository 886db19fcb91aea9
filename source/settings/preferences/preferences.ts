import type {Sourced} from '../sourced.ts';
import type {Target} from '../target.ts';

/**
 * A mistake in the file, which leaves the rest of it in effect; on line 0 the whole file has no effect; or with `isNotice` a consequence that the user
 * may want to know. `text` quotes the file: it is unsafe.
 */
export type PreferenceProblem = {
	readonly line: number;
	readonly column: number;
	readonly text: string;
	readonly isNotice?: true;
};

/** The keys of one action or shared meaning, as they are written; empty for "none". */
export type KeySetting = {
	readonly id: string;
	readonly keys: readonly string[];
	readonly line: number;
	readonly column: number;
};

/** `[keys]`, in the order of its lines. */
export type KeyPreferences = {
	readonly preset?: Sourced<'vim' | 'k9s' | 'lazygit'>;
	readonly settings: readonly KeySetting[];
};

export type ListFormat = 'json' | 'ndjson' | 'table';

/** `[defaults]`: what counts if neither an option, a variable nor the context says otherwise. */
export type DefaultPreferences = {
	readonly target?: Sourced<Target>;
	/** Format of lists on a terminal; pipes and files keep theirs. */
	readonly format?: Sourced<ListFormat>;
	/** Whether wide terminals show the value of the key under the cursor. */
	readonly preview?: Sourced<boolean>;
	/** Keys in one call of a listing on screen. */
	readonly pageSize?: Sourced<number>;
	/** Whether overwritten values of single keys are kept in the trash. */
	readonly history?: Sourced<boolean>;
	readonly mouse?: Sourced<boolean>;
	/** Whether the screens set the title of the terminal window. */
	readonly title?: Sourced<boolean>;
};

/** Names of themes; `default` chooses dark or light by the terminal, and so do those that have both. */
export const themeChoices = [
	'default',
	'dark',
	'light',
	'high-contrast',
	'solarized',
	'gruvbox',
	'catppuccin',
	'nord',
] as const;

export type ThemeChoice = (typeof themeChoices)[number];

/** What has a colour, what it is for, and its colour by default on a dark terminal. */
export const themeRoles = {
	text: {meaning: 'everything without another role', example: 'white'},
	dim: {
		meaning: 'what is less important: headings of columns, labels of keys, placeholders',
		example: 'bright-black',
	},
	accent: {meaning: 'where you are, and the current item', example: 'cyan'},
	cursor: {meaning: 'the row under the cursor: its background', example: 'cyan'},
	selection: {meaning: 'selected rows: their background', example: 'bright-black'},
	warning: {meaning: 'warnings', example: 'yellow'},
	danger: {meaning: 'failures, deletions and production', example: 'red'},
	success: {meaning: 'what has been done', example: 'green'},
	border: {meaning: 'lines and frames', example: 'bright-black'},
	heading: {meaning: 'headings', example: 'white'},
} as const;

export type ThemeRole = keyof typeof themeRoles;

/** `[theme]`: a theme, and colours on top of it, as Ink writes them. */
export type ThemePreferences = {
	readonly name?: Sourced<ThemeChoice>;
	readonly roles: Readonly<Partial<Record<ThemeRole, Sourced<string>>>>;
};

/** What happens to what a command prints. `value`: it becomes the new value of the key, after a review. */
export const commandOutputs = ['none', 'status', 'pager', 'value'] as const;

/** A command of the user's own: an entry of `[[commands]]`. Only complete entries are read. */
export type OwnCommand = {
	/** Name in help, palette and messages, unique. */
	readonly title: string;
	/** Program and arguments, which may be placeholders. No shell interprets them. */
	readonly command: readonly [string, ...string[]];
	/** As they are written; without any, only the palette runs it. */
	readonly keys: readonly string[];
	/** Names of screens as in the file; undefined for all. */
	readonly screens: readonly string[] | undefined;
	/** Word after its key on the last line of the screen. */
	readonly hint: string | undefined;
	readonly output: (typeof commandOutputs)[number];
	/** True if it uses the terminal until it ends. */
	readonly isForeground: boolean;
	/** Question to ask first; true for one that names the command. */
	readonly confirm: string | boolean;
	/** True if it changes nothing, by the word of the user: it then also runs while ledge is read-only. */
	readonly isReadOnly: boolean;
	/** Undefined without a limit. */
	readonly timeoutSeconds: number | undefined;
	/** Names of variables that it gets although they contain credentials. */
	readonly environment: readonly string[];
	readonly line: number;
	readonly column: number;
};

/** What a user set in the file `config.toml`. It belongs to the user; a project has none. */
export type Preferences = {
	readonly file: string;
	/** Its path with `~`. */
	readonly shownAs: string;
	readonly defaults: DefaultPreferences;
	readonly keys: KeyPreferences;
	readonly theme: ThemePreferences;
	readonly commands: readonly OwnCommand[];
	readonly problems: readonly PreferenceProblem[];
};

/** Formats a problem as `~/.config/ledge/config.toml:14: …`; what is wrong with the whole file names it itself. */
export const formatPreferenceProblem = (
	{shownAs}: Pick<Preferences, 'shownAs'>,
	{line, text}: PreferenceProblem,
): string => (line === 0 ? text : `${shownAs}:${line}: ${text}`);

/** Summarises the mistakes in one sentence, without notices; undefined without any. */
export const summarizePreferenceProblems = (
	preferences: Preferences | undefined,
	problems: readonly PreferenceProblem[] = preferences?.problems ?? [],
): string | undefined =>
	preferences &&
	formatFirstProblem(
		preferences,
		problems.filter(({isNotice}) => !isNotice),
	);

/** Formats the first problem and the number of others; undefined without any. */
export function formatFirstProblem(
	preferences: Pick<Preferences, 'shownAs'>,
	[first, ...others]: readonly PreferenceProblem[],
): string | undefined {
	const rest = others.length === 0 ? '' : ` And ${others.length} more: \`ledge config\` shows them.`;
	return first && `${formatPreferenceProblem(preferences, first)}${rest}`;
}
