import type {JsonObject} from '../../text/json.ts';
import type {Collection, ResourceOwner} from '../world/resources.ts';

/** Returns the overrides of a zone. */
export const overridesOf = ({resources}: ResourceOwner, zone: string): Collection<JsonObject> =>
	resources.of('waf-override', zone);
