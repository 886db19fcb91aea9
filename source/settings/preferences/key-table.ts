import type {PreferenceProblem, Preferences} from './preferences.ts';

/** An action of the screens, as far as the configuration file names it. */
type DescribedAction = {
	readonly id: string;
	readonly keys: readonly string[];
	readonly title: string;
	/** Heading of its group. */
	readonly group: string;
};

/** Keys that mean the same on every screen: `all.NAME` in the file. */
type DescribedMeaning = {readonly name: string; readonly keys: readonly string[]; readonly meaning: string};

/** What the keys of the screens do. Commands get it from the host, since they load no screens. */
export type KeyTable = {
	/** Lists the actions whose keys can be set. */
	listActions(): Promise<readonly DescribedAction[]>;
	listMeanings(): Promise<readonly DescribedMeaning[]>;
	/** Lists mistakes in the keys and commands, and the keys that actions lose to others. */
	findProblems(preferences: Pick<Preferences, 'keys' | 'commands'>): Promise<readonly PreferenceProblem[]>;
};
