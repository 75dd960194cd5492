// swagger-parser on a document.
import Parser from '@apidevtools/swagger-parser';

await Parser.validate(process.argv[2]);
