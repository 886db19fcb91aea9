import type {JsonObject} from '../../text/json.ts';

/** A finding about a configuration: `error` if the service would refuse it, otherwise `warning`. */
export type ConfigurationFinding = {
	readonly severity: 'error' | 'warning';
	/** Index of the rule, from 0; undefined: the whole configuration. */
	readonly rule?: number;
	readonly sentence: string;
	/** True if the configuration protects less than it seems to; shown again before it is sent. */
	readonly lessens?: true;
	/** True if the error rests on ledge's tables, which may be older than the service. */
	readonly isAllowable?: boolean;
};

/** A finding about one rule, before its index is known. */
export type RuleFinding = Omit<ConfigurationFinding, 'rule'>;

export const createRuleError = (sentence: string): RuleFinding => ({severity: 'error', sentence});
export const createRuleWarning = (sentence: string): RuleFinding => ({severity: 'warning', sentence});

/** Creates a warning about reduced protection; it is repeated when the configuration is sent. */
export const createProtectionWarning = (sentence: string): RuleFinding => ({
	...createRuleWarning(sentence),
	lessens: true,
});

export const listUnknownFields = (object: JsonObject, knownFields: readonly string[]): readonly string[] =>
	Object.keys(object).filter(name => !knownFields.includes(name));
