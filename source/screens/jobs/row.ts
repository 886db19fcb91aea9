import type {JobState, ListedJob} from '../../state/jobs.ts';
import type {Screen} from '../shell/screen-name.ts';

/** A job as the list shows it. */
export type JobRow = {
	/** Of its journal; a run of this session that has none yet has a name of its own. */
	readonly id: string;
	/** `here`: long work of this session. */
	readonly state: JobState | 'here';
	/** The screen that shows it. */
	readonly screen: Screen;
	/** Whether what is here is paused; only of what is at work. */
	readonly isPaused?: boolean;
	/** What it does, with the whole path of its file. Data as it is. */
	readonly title: string;
	/** The same in a few words. */
	readonly name: string;
	readonly done: number | undefined;
	readonly total: number | undefined;
	/** Milliseconds since the epoch. */
	readonly updated: number | undefined;
	/** Why it stopped, or who works on it. */
	readonly about: string;
	/** Its record. */
	readonly job: ListedJob | undefined;
	/** The zone whose migration it is. */
	readonly zone?: {readonly id: string; readonly name: string};
};
