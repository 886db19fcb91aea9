import type {JobState, ListedJob} from '../../state/jobs.ts';
import type {Screen} from '../shell/screen-name.ts';

export type JobRow = {
	/** Id of its journal. Work of this session that has no journal yet has another unique id. */
	readonly id: string;
	/** `here`: long work of this session. */
	readonly state: JobState | 'here';
	readonly screen: Screen;
	/** Set only for work of this session that is running. */
	readonly isPaused?: boolean;
	/** What it does, with the full path of its file. Not escaped for the terminal. */
	readonly title: string;
	/** The title in a few words. */
	readonly name: string;
	readonly done: number | undefined;
	readonly total: number | undefined;
	/** Milliseconds since the epoch. */
	readonly updated: number | undefined;
	/** Why it stopped, or which process works on it. */
	readonly about: string;
	readonly job: ListedJob | undefined;
	/** The zone of a migration. */
	readonly zone?: {readonly id: string; readonly name: string};
};
