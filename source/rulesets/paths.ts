import {pathSegment, zonePath} from '../service/path-segment.ts';
import type {ReadPhase} from './ruleset.ts';

/** Returns the path of a zone's rulesets, or of one below it. */
export const rulesetsPath = (zone: string, ...segments: readonly string[]): string =>
	[`${zonePath(zone)}/rulesets`, ...segments.map(id => pathSegment(id, 'a ruleset'))].join('/');

export const entryPointPath = (zone: string, phase: ReadPhase): string =>
	rulesetsPath(zone, 'phases', phase, 'entrypoint');
