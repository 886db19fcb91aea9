import {customRules} from './custom-rules.ts';
import {managedRules} from './managed-rules.ts';
import type {PhaseRules} from './phase-rules.ts';

/** The phases that a zone has. */
export const zonePhases: readonly string[] = [
	'http_request_firewall_custom',
	'http_request_firewall_managed',
	'http_ratelimit',
	'http_request_sbfm',
];

/** The phases that can be written to. */
const written: readonly PhaseRules[] = [customRules, managedRules];

export const phaseRules = (phase: string): PhaseRules | undefined =>
	written.find(rules => rules.phase === phase);
