/**
 * The only file of this folder to import from outside (see readme.md). Functions are pure and never throw.
 * The build bundles them in a separate file, loaded on the first call, and inlines the constants
 * (source/build/apart.ts).
 */
export {addressSet, withAddresses} from './address-set.ts';
export {analyse} from './analyse.ts';
export type {Analysis, Place} from './analysis.ts';
export {canonical} from './canonical.ts';
export {type Completion, completionsAt} from './completion/completions.ts';
export {noteOf} from './completion/note.ts';
export {findEncounters} from './encounters.ts';
export {engineMessage, readEngineMessage} from './engine-message.ts';
export {format} from './format.ts';
export type {Problem, Span} from './grammar/problem.ts';
export type {Token, TokenKind} from './grammar/token.ts';
export {findOverlap, type Overlap} from './overlap.ts';
export {findSources} from './possible.ts';
export {matchesAddress, matchesNearlyAll, withoutConstants} from './reach.ts';
export {matcherOf} from './recorded.ts';
export {sizeOf} from './size.ts';
export type {ExpressionFunction, Field, Parameter} from './vocabulary/entries.ts';
export {fieldNamed} from './vocabulary/fields.ts';
export {functionNamed} from './vocabulary/functions.ts';
export {factsOf, planWords} from './vocabulary/in-words.ts';
export {expressionLength} from './vocabulary/limits.ts';
export {type Phase, phaseNamed, phaseNames, phasesInWords} from './vocabulary/phases.ts';
export {type Plan, planHas, planNames, plans} from './vocabulary/plan.ts';
export {vocabularyWith} from './vocabulary/search.ts';
export {typeName} from './vocabulary/value-type.ts';
