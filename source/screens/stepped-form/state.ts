import type {Failure} from '../../failure.ts';

/** The forms of a rule. */
export type RuleScreen = 'wizard' | 'customRule' | 'emergency';

/** The lists that such forms are opened from. */
export type FormList = 'firewall' | 'customRules';

/** The id of an open form among those that keep drafts. */
export const formId = (screen: RuleScreen, {id}: {readonly id: number}): string => `${screen} ${id}`;

/** How a form ended: each state reports what exists now. */
export type FormEnding = {readonly state: string; readonly failure?: Failure | undefined};

/** How a form ended, in paragraphs of data as it is. */
export type Outcome = {
	readonly tone: 'good' | 'warning' | 'failed';
	readonly heading: string;
	readonly facts: readonly string[];
};
