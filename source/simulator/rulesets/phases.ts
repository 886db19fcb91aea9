import {customRules} from './custom-rules.ts';
import {managedRules} from './managed-rules.ts';
import type {PhaseRules} from './phase-rules.ts';

/** The phases of a zone. */
export const zonePhases: readonly string[] = [
	'http_request_firewall_custom',
	'http_request_firewall_managed',
	'http_ratelimit',
	'http_request_sbfm',
];

/** Phases whose rulesets can be changed. */
const writablePhases: readonly PhaseRules[] = [customRules, managedRules];

export const findPhaseRules = (phase: string): PhaseRules | undefined =>
	writablePhases.find(rules => rules.phase === phase);
