import type {Failure} from '../../failure.ts';

/** The forms of a rule. */
export type RuleScreen = 'wizard' | 'customRule' | 'rateLimit' | 'emergency';

/** The lists that open these forms. */
export type FormList = 'firewall' | 'customRules' | 'rateLimits';

/** Returns the id of an open form, for its drafts. */
export const getRuleFormId = (screen: RuleScreen, {id}: {readonly id: number}): string => `${screen} ${id}`;

/** How a form ended. Each state reports what exists now. */
export type FormEnding = {readonly state: string; readonly failure?: Failure | undefined};

/** The result of a form as paragraphs of raw text. */
export type FormResultText = {
	readonly tone: 'good' | 'warning' | 'failed';
	readonly heading: string;
	readonly facts: readonly string[];
};
