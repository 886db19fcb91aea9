import type {JsonObject} from '../../text/json.ts';

/** Something about a configuration that the service would refuse (`error`) or a person should know (`warning`). */
export type Finding = {
	readonly severity: 'error' | 'warning';
	/** Which rule it is about, from 0; none: the whole. */
	readonly rule?: number;
	readonly sentence: string;
	/** It leaves less protection than it seems to: said once more where it is sent. */
	readonly lessens?: true;
};

/** What is said of one rule, before it is known which one it is. */
export type RuleFinding = Omit<Finding, 'rule'>;

export const wrong = (sentence: string): RuleFinding => ({severity: 'error', sentence});
export const odd = (sentence: string): RuleFinding => ({severity: 'warning', sentence});

/** What is sent as it is, and should be meant. */
export const lessening = (sentence: string): RuleFinding => ({...odd(sentence), lessens: true});

/** Fields of an object that are not among those that ledge knows. */
export const unknownFields = (object: JsonObject, known: readonly string[]): readonly string[] =>
	Object.keys(object).filter(name => !known.includes(name));
