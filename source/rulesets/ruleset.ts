import type {JsonObject} from '../text/json.ts';

/** The phases of rulesets that ledge works with. */
export const customPhase = 'http_request_firewall_custom';
export const managedPhase = 'http_request_firewall_managed';
export const rateLimitPhase = 'http_ratelimit';
/** The phases that ledge writes to. */
export type Phase = typeof customPhase | typeof managedPhase;
/** Those whose entry point it reads. */
export type ReadPhase = Phase | typeof rateLimitPhase;

/** A rule of a ruleset as it is sent: what the service adds by itself is left out. */
export type RulesetRule = {
	readonly id?: string | undefined;
	readonly ref?: string | undefined;
	readonly action: string;
	readonly action_parameters?: JsonObject | undefined;
	readonly expression: string;
	readonly description?: string | undefined;
	readonly enabled?: boolean | undefined;
	readonly logging?: {readonly enabled: boolean} | undefined;
	/** Fields that ledge does not know, as the service gave them: what is sent back whole has them, too. */
	readonly more?: JsonObject | undefined;
};

/** A ruleset, as the entry point of a phase. */
export type Ruleset = {
	readonly id: string;
	readonly name: string;
	readonly kind: string;
	readonly phase: string;
	/** A decimal number as text; one more with every change. */
	readonly version: string;
	readonly description?: string | undefined;
	/** RFC 3339, as the service gave it. */
	readonly last_updated?: string | undefined;
	readonly rules: readonly RulesetRule[];
};
