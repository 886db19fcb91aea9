import {type JsonObject, objects} from '../../text/json.ts';
import {type ParanoiaLevel, paranoiaCategory, paranoiaLevels, thresholdRule} from './mapping.ts';
import {type Overridden, overridden} from './rule-overrides.ts';

/** How the overrides of a rule that executes the OWASP ruleset set it; what they do not say is as the ruleset has it. */
type OwaspSettings = {
	/** The highest level that is not off; none where nothing is said of any. */
	readonly level: ParanoiaLevel | undefined;
	/** Points from which requests are acted on. */
	readonly threshold: number | undefined;
	/** What is said of the rule that acts on them. */
	readonly scoring: Overridden;
};

/** The settings of the OWASP ruleset. Where something is said twice, what is said last counts. */
export function owaspSettings(overrides: JsonObject): OwaspSettings {
	const categories = objects(overrides.categories);
	const isSaidOn = (level: ParanoiaLevel): boolean | undefined => {
		const said = categories.findLast(({category}) => category === paranoiaCategory(level));
		return said && overridden(said).enabled;
	};
	const isSaid = paranoiaLevels.some(level => isSaidOn(level) !== undefined);
	const scoring = objects(overrides.rules).findLast(({id}) => id === thresholdRule) ?? {};
	const {score_threshold: threshold} = scoring;
	return {
		level: isSaid ? (paranoiaLevels.findLast(level => isSaidOn(level) !== false) ?? 1) : undefined,
		threshold: typeof threshold === 'number' ? threshold : undefined,
		scoring: overridden(scoring),
	};
}
