import {customPhaseDefinition} from './custom-rules.ts';
import {managedPhaseDefinition} from './managed-rules.ts';
import type {PhaseDefinition} from './phase-rules.ts';
import {rateLimitPhaseDefinition} from './rate-limits.ts';

/** The phases of a zone. */
export const zonePhases: readonly string[] = [
	'http_request_firewall_custom',
	'http_request_firewall_managed',
	'http_ratelimit',
	'http_request_sbfm',
];

/** Phases whose rulesets can be changed. */
const writablePhases: readonly PhaseDefinition[] = [
	customPhaseDefinition,
	managedPhaseDefinition,
	rateLimitPhaseDefinition,
];

export const findPhaseDefinition = (phase: string): PhaseDefinition | undefined =>
	writablePhases.find(definition => definition.name === phase);
