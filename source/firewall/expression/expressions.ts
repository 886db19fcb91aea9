/**
 * The language of expressions, as the rest of ledge asks it: functions, each pure, none of which throws. The build
 * makes a file of its own of them (esbuild.config.ts): what is imported of `expression/` elsewhere stands here.
 */
export {addressSet, withAddresses} from './address-set.ts';
export {analyse} from './analyse.ts';
export {canonical} from './canonical.ts';
export {completionsAt} from './completion/completions.ts';
export {noteOf} from './completion/note.ts';
export {findEncounters} from './encounters.ts';
export {engineMessage, readEngineMessage} from './engine-message.ts';
export {format} from './format.ts';
export {findOverlap} from './overlap.ts';
export {findSources} from './possible.ts';
export {matchesAddress, matchesNearlyAll, withoutConstants} from './reach.ts';
export {matcherOf} from './recorded.ts';
export {sizeOf} from './size.ts';
export {fieldNamed} from './vocabulary/fields.ts';
export {functionNamed} from './vocabulary/functions.ts';
export {factsOf, planWords} from './vocabulary/in-words.ts';
export {phaseNamed, phaseNames, phasesInWords} from './vocabulary/phases.ts';
export {vocabularyWith} from './vocabulary/search.ts';
export {typeName} from './vocabulary/value-type.ts';
