import {encodePathSegment, getZonePath} from '../service/path-segment.ts';
import type {RulesetPhase} from './ruleset.ts';

/** Returns the path of a zone's rulesets, or of one below it. */
export const getRulesetsPath = (zoneId: string, ...segments: readonly string[]): string =>
	[`${getZonePath(zoneId)}/rulesets`, ...segments.map(id => encodePathSegment(id, 'a ruleset'))].join('/');

export const getEntryPointPath = (zoneId: string, phase: RulesetPhase): string =>
	getRulesetsPath(zoneId, 'phases', phase, 'entrypoint');
