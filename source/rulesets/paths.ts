import {encodePathSegment, getZonePath} from '../service/path-segment.ts';
import type {ReadPhase} from './ruleset.ts';

/** Returns the path of a zone's rulesets, or of one below it. */
export const getRulesetsPath = (zone: string, ...segments: readonly string[]): string =>
	[`${getZonePath(zone)}/rulesets`, ...segments.map(id => encodePathSegment(id, 'a ruleset'))].join('/');

export const getEntryPointPath = (zone: string, phase: ReadPhase): string =>
	getRulesetsPath(zone, 'phases', phase, 'entrypoint');
