/**
 * The only file of this folder that code outside it may import (see readme.md). Functions are pure and never throw.
 * The build bundles them in a separate file, loaded on the first call, and inlines the constants
 * (source/build/command-plugins.ts).
 */
export {parseAddressSet, withAddresses} from './address-set.ts';
export {analyse} from './analyse.ts';
export type {Analysis} from './analysis.ts';
export {canonicalize} from './canonical.ts';
export {type Completion, listCompletions} from './completion/completions.ts';
export {describeCompletion} from './completion/description.ts';
export type {ExpressionContext, KnownList} from './context.ts';
export {findEncounters} from './encounters.ts';
export {formatEngineMessage, readEngineMessage} from './engine-message.ts';
export {formatExpression} from './format.ts';
export {formatIpAddress, parseIpAddress, parseNetwork} from './grammar/addresses.ts';
export {type ExpressionProblem, isTableError, type Span} from './grammar/problem.ts';
export type {Token, TokenKind} from './grammar/token.ts';
export {impliesExpression} from './implication.ts';
export {findLint, listLints} from './lints/catalogue.ts';
export type {Lint} from './lints/lint.ts';
export {findOverlap, type Overlap} from './overlap.ts';
export {classifySources} from './possible-results.ts';
export {createRequestMatcher, type RecordedFields} from './recorded-requests.ts';
export {measureExpression} from './size.ts';
export {matchesAddress, matchesNearlyAll, parseAllowingConstants} from './traffic-share.ts';
export type {Unknown} from './unknown.ts';
export type {ExpressionFunction, Field, Parameter} from './vocabulary/entries.ts';
export {formatPlanAvailability, listEntryFacts} from './vocabulary/entry-facts.ts';
export {findField} from './vocabulary/fields.ts';
export {findFunction} from './vocabulary/functions.ts';
export {maxExpressionLength} from './vocabulary/limits.ts';
export {findPhase, formatPhases, listPhaseNames, type Phase} from './vocabulary/phases.ts';
export {hasRequiredPlan, type Plan, planNames, plans} from './vocabulary/plan.ts';
export {searchVocabulary} from './vocabulary/search.ts';
export {formatType} from './vocabulary/value-type.ts';
