import {Failure} from '../failure.ts';
import {advice, ledge} from '../text/advice.ts';
import type {ReadPhase} from './ruleset.ts';

/** The path of the rulesets of a zone, and of one below it. Ids are never taken as they are. */
export const rulesetsPath = (zone: string, ...segments: readonly string[]): string =>
	['', 'zones', segment(zone), 'rulesets', ...segments.map(segment)].join('/');

export const entryPointPath = (zone: string, phase: ReadPhase): string =>
	rulesetsPath(zone, 'phases', phase, 'entrypoint');

function segment(id: string): string {
	if (id === '.' || id === '..' || id === '')
		throw new Failure('usage', `"${id}" cannot be the id of a zone or ruleset.`, {
			next: advice`See \`${ledge('zones')}\` for the zones there are.`,
		});
	return encodeURIComponent(id);
}
