import { list, type Vocabulary } from "./vocabulary.ts";

export const SPANISH: Vocabulary = {
  agreements: [
    { title: "Arrendamiento del local en {street}, {town}", file: "arrendamiento" },
    { title: "Suministro de piezas a la fábrica de {town}", file: "suministro" },
    { title: "Préstamo para la ampliación del almacén de {town}", file: "prestamo" },
    { title: "Mantenimiento de los ascensores, {street}, {town}", file: "mantenimiento" },
    { title: "Licencia del programa de existencias en {town}", file: "licencia" },
    { title: "Transporte de productos fríos desde {town}", file: "transporte" },
  ],
  versions: ["segundo borrador", "copia revisada", "ejemplar para la firma"],
  opening: [
    "Este expediente recoge lo que {client} y {party} acordaron en {town} tras tres rondas. {person} dirigió las conversaciones por {client}.",
    "{client} y {party} firman este documento en {town}. Las cartas anteriores pierden su efecto, salvo las que se citan abajo.",
    "Las partes, {client} por un lado y {party} por el otro, se reunieron en {town} y fijaron los puntos siguientes uno tras otro.",
  ],
  topics: {
    begin: {
      heading: "Inicio y duración",
      facts: [
        "El contrato con {party} empieza el {date} y tiene una duración de {years} años.",
        "{party} empieza a prestar el servicio el {date}; la duración fija es de {years} años.",
      ],
      more: [
        "Si el primer día es festivo, cuenta el siguiente día laborable.",
        "Se habló de una fase de prueba más corta, que {person} rechazó.",
        "Los trabajos anteriores a la firma se pagan según el pedido antiguo.",
      ],
      near: ["¿Cuándo empieza el contrato con {name}?", "duración fija {name} años"],
      far: "¿Desde qué fecha está obligada {name}?",
    },
    notice: {
      heading: "Rescisión",
      facts: [
        "{party} puede rescindir con un preaviso de {months} meses antes del fin de un trimestre.",
        "El preaviso de rescisión para {party} es de {months} meses y termina con el trimestre.",
      ],
      more: [
        "La carta debe llegar por escrito a {person} en {town}.",
        "El derecho a romper de inmediato por causa grave se mantiene.",
        "Después cada parte devuelve en {days} días lo que es de la otra.",
      ],
      near: ["¿Qué preaviso de rescisión tiene {name}?", "rescindir {name} preaviso trimestre"],
      far: "¿Cuánto tardaríamos en librarnos de {name}?",
    },
    fee: {
      heading: "Retribución",
      facts: [
        "{client} paga a {party} una retribución anual de {sum} en {number} plazos iguales.",
        "La retribución anual de {party} asciende a {sum}, repartida en {number} plazos.",
      ],
      more: [
        "Las facturas llevan el número {code} y se dirigen a {person}.",
        "Los viajes dentro de {town} están incluidos; los demás requieren permiso previo.",
        "No se acordó ningún descuento por pronto pago.",
      ],
      near: ["¿Cuál es la retribución anual de {name}?", "plazos de la retribución {name}"],
      far: "¿Cuánto nos cuesta {name} cada ejercicio?",
    },
    deposit: {
      heading: "Garantía",
      facts: [
        "{party} deposita una fianza de {sum} en {bank}.",
        "Como fianza {party} ha ingresado {sum} en una cuenta de {bank}.",
      ],
      more: [
        "Los intereses corresponden a quien la pagó.",
        "Se libera en {days} días cuando {person} confirma que nada queda pendiente.",
        "El aval de una entidad solvente puede sustituirla.",
      ],
      near: ["fianza de {name}", "¿En qué banco depositó {name} la fianza?"],
      far: "¿Qué dinero inmovilizado nos protege si {name} falla?",
    },
    interest: {
      heading: "Demora en el pago",
      facts: [
        "Si el pago se demora, {party} cobra intereses del {percent} por ciento desde el día {days}.",
        "Desde el día {days} tras la factura, {party} aplica intereses de demora del {percent} por ciento.",
      ],
      more: [
        "No hace falta un aviso, aunque {person} suele enviarlo.",
        "Los abonos parciales se aplican a la deuda más antigua.",
        "Las partidas discutidas pueden retenerse hasta que se aclaren.",
      ],
      near: ["intereses de demora {name}", "¿Qué intereses de demora cobra {name}?"],
      far: "¿Qué ocurre si transferimos tarde el dinero a {name}?",
    },
    penalty: {
      heading: "Penalización",
      facts: [
        "Por cada día de retraso {party} debe una penalización de {sum}, como máximo {sum2}.",
        "Si {party} se retrasa, vence una penalización de {sum} por día, con un máximo de {sum2}.",
      ],
      more: [
        "Se descuenta del daño que se pruebe más tarde.",
        "Un aplazamiento que {person} concedió por escrito no cuenta.",
        "Las huelgas y las riadas suspenden el cómputo.",
      ],
      near: [
        "penalización por día de retraso {name}",
        "¿Qué penalización debe {name} por cada día?",
      ],
      far: "¿Qué pierde {name} cuando va despacio?",
    },
    warranty: {
      heading: "Garantía de los trabajos",
      facts: [
        "{party} concede una garantía de {months} meses desde la recepción.",
        "La garantía de los trabajos de {party} dura {months} meses desde la recepción.",
      ],
      more: [
        "Los defectos se comunican a {person} sin demora y con una fotografía.",
        "Se permiten dos intentos de reparación antes de rebajar el precio.",
        "Las piezas de desgaste normal quedan fuera.",
      ],
      near: ["garantía {name} desde la recepción", "¿Cuántos meses de garantía concede {name}?"],
      far: "¿Hasta cuándo arregla {name} gratis sus fallos?",
    },
    liability: {
      heading: "Responsabilidad",
      facts: [
        "La responsabilidad de {party} se limita a {sum} por siniestro.",
        "{party} asume responsabilidad hasta {sum} por siniestro, y no más.",
      ],
      more: [
        "El límite no rige en caso de dolo o de lesiones.",
        "El lucro cesante queda excluido por ambos lados.",
        "{person} lleva una lista de las reclamaciones presentadas.",
      ],
      near: [
        "límite de responsabilidad por siniestro {name}",
        "¿Hasta qué suma asume {name} responsabilidad?",
      ],
      far: "¿Cuál sería la mayor indemnización que nos daría {name}?",
    },
    insurance: {
      heading: "Seguro",
      facts: [
        "{party} mantiene un seguro de responsabilidad civil de al menos {sum} con {firm}.",
        "Seguro de responsabilidad civil de {party}: cobertura de {sum}, aseguradora {firm}.",
      ],
      more: [
        "Se envía un certificado a {person} la primera semana de cada año.",
        "Si la póliza caduca, {client} puede contratar otra a costa de la otra parte.",
        "Los daños por agua y el robo están incluidos.",
      ],
      near: ["seguro de responsabilidad civil {name}", "¿Qué aseguradora cubre a {name}?"],
      far: "¿Quién paga cuando {name} hiere a un visitante?",
    },
    secrecy: {
      heading: "Confidencialidad",
      facts: [
        "{party} guarda confidencial toda la información comercial durante {years} años tras el fin.",
        "El deber de confidencialidad vincula a {party} otros {years} años tras el fin.",
      ],
      more: [
        "Lo que el público ya conoce no entra.",
        "{person} decide qué asesores pueden ver las cifras.",
        "Las copias se destruyen y se avisa de ello a {town}.",
      ],
      near: [
        "confidencialidad {name} años tras el fin",
        "¿Cuánto dura la confidencialidad para {name}?",
      ],
      far: "¿Puede {name} contar nuestros secretos a la prensa?",
    },
    court: {
      heading: "Derecho y tribunales",
      facts: [
        "Los tribunales de {town} son los únicos competentes para litigios con {party}.",
        "Todo litigio con {party} corresponde a los tribunales de {town}.",
      ],
      more: [
        "Rige el derecho de la sede de {client}, sin sus normas de conflicto.",
        "Si un apartado es nulo, los demás siguen en vigor.",
        "Los cambios exigen la firma de {person} y de otro director.",
      ],
      near: [
        "tribunales competentes litigios {name}",
        "¿Qué tribunales deciden un litigio con {name}?",
      ],
      far: "¿En qué ciudad habría que demandar a {name}?",
    },
    contact: {
      heading: "Interlocutor",
      facts: [
        "El interlocutor en {party} es {person}, que responde en {days} días hábiles.",
        "Las preguntas van a {person}, interlocutor de {party}, con respuesta en {days} días hábiles.",
      ],
      more: [
        "En casos urgentes la guardia de {town} atiende las llamadas.",
        "Un cambio se anuncia con dos semanas.",
        "Las cartas sin el número {code} se devuelven.",
      ],
      near: ["¿Quién es el interlocutor en {name}?", "interlocutor {name} días hábiles"],
      far: "¿A quién telefoneo en {name}?",
    },
    delivery: {
      heading: "Entrega",
      facts: [
        "{party} entrega en {street}, {town}, a más tardar el {date}.",
        "La mercancía de {party} debe entregarse en {street} de {town} a más tardar el {date}.",
      ],
      more: [
        "{person} cuenta los palés antes de que salga el conductor.",
        "Lo que se daña en el camino se fotografía y se rechaza.",
        "Los embalajes se recogen sin coste.",
      ],
      near: ["¿Dónde entrega {name} la mercancía?", "entrega {name} a más tardar"],
      far: "¿En qué muelle descarga el camión de {name}?",
    },
    audit: {
      heading: "Auditoría",
      facts: [
        "{client} puede auditar los libros de {party} una vez al año con {days} días de aviso.",
        "Una vez al año y con {days} días de aviso pueden auditarse los libros de {party}.",
      ],
      more: [
        "{person} nombra al experto y asume el gasto.",
        "Si falta más del tres por ciento, lo asume la otra parte.",
        "Se permiten copias; los originales quedan en {town}.",
      ],
      near: ["auditar los libros de {name}", "¿Cuántos días de aviso antes de auditar a {name}?"],
      far: "¿Tenemos permiso para examinar la contabilidad que lleva {name}?",
    },
    data: {
      heading: "Datos personales",
      facts: [
        "{party} borra los datos personales {days} días después del último pedido.",
        "Los datos personales en poder de {party} deben borrarse en {days} días tras el último pedido.",
      ],
      more: [
        "La protección está a cargo de {person}.",
        "Los servidores están en {town} y en ningún otro país.",
        "Una fuga se comunica en dos días, con el número de afectados.",
      ],
      near: ["borrar datos personales {name}", "¿Cuándo borra {name} los datos personales?"],
      far: "¿Desaparecen las fichas de nuestra plantilla en {name}?",
    },
    index: {
      heading: "Revisión de precios",
      facts: [
        "Cada mes de {month} los precios de {party} siguen el índice de consumo, con un tope del {percent} por ciento.",
        "Los precios de {party} se revisan en {month} según el índice de consumo; el tope es del {percent} por ciento.",
      ],
      more: [
        "La primera vez ocurre después del segundo año.",
        "{person} envía el cálculo cuatro semanas antes.",
        "Una bajada los reduce del mismo modo.",
      ],
      near: ["índice de consumo precios {name}", "¿En qué mes se revisan los precios de {name}?"],
      far: "¿Cuánto más cara puede volverse {name}?",
    },
    keys: {
      heading: "Acceso",
      facts: [
        "{party} recibe {number} tarjetas de acceso para {street}; {person} firma el recibo.",
        "{number} tarjetas de acceso para {street} se dieron a {party} contra recibo de {person}.",
      ],
      more: [
        "Si una se pierde, se bloquea en una hora y cuesta cuarenta euros.",
        "Los invitados se recogen en la puerta.",
        "Todo acaba con el contrato y se devuelve en {town}.",
      ],
      near: ["¿Cuántas tarjetas de acceso recibe {name}?", "tarjetas de acceso {name} {street}"],
      far: "¿Puede entrar al edificio la gente de {name}?",
    },
    repairs: {
      heading: "Reparaciones",
      facts: [
        "Las reparaciones pequeñas de hasta {sum} por caso corren a cargo de {party}.",
        "{party} se hace cargo de las reparaciones que no pasen de {sum} por caso.",
      ],
      more: [
        "El tejado, los pilares y las tuberías quedan para el dueño.",
        "Hay que preguntar a {person} antes de abrir una pared.",
        "La caldera se revisa cada otoño por una casa de {town}.",
      ],
      near: [
        "reparaciones pequeñas a cargo de {name}",
        "¿Hasta qué suma paga {name} las reparaciones?",
      ],
      far: "¿Quién compone un grifo roto para {name}?",
    },
    mediation: {
      heading: "Mediación",
      facts: [
        "Antes de un pleito {client} y {party} acuden a {person} de {town} como mediador; las sesiones acaban a los {days} días.",
        "Una disputa con {party} va primero al mediador {person} en {town}, por {days} días como mucho.",
      ],
      more: [
        "Cada parte asume sus gastos y la mitad de los comunes.",
        "Lo que allí se diga no vale ante el juez.",
        "Las medidas urgentes siguen siendo posibles.",
      ],
      near: ["¿Quién es el mediador para {name}?", "mediador disputa {name} días"],
      far: "¿Qué persona neutral ayuda si reñimos con {name}?",
    },
    hours: {
      heading: "Horario",
      facts: [
        "{party} trabaja en la obra entre las {hour} y las {hour2} horas, los sábados solo tras llamar a {person}.",
        "El horario de {party} en la obra es de {hour} a {hour2} horas; los sábados hay que llamar a {person}.",
      ],
      more: [
        "El ruido antes del desayuno causó quejas de los vecinos.",
        "En diciembre se puede alargar por el inventario.",
        "La verja de {town} se cierra sola.",
      ],
      near: ["horario de {name} en la obra", "¿Entre qué horas trabaja {name}?"],
      far: "¿Sigue {name} ahí de noche?",
    },
  },
  journal: {
    heading: "Diario",
    acts: [
      "El {date} {person} visitó {street} en {town}",
      "{person} escribió a {client} el {date}",
      "En la reunión del {date} {person} presentó las cifras",
      "{person} y {person2} hablaron por teléfono el {date}",
      "Un compañero de {person} abrió las cajas el {date}",
      "El {date} la contabilidad, bajo {person}, comprobó los asientos",
      "{person} recorrió la nave de {town} el {date}",
      "El informe semanal del {date} es de {person}",
      "El {date} una carta de {town} llegó a {person}",
    ],
    findings: [
      "y el suelo estaba mojado bajo la tercera ventana",
      "y había {number} cajas más que en la lista",
      "y se pidió una segunda opinión sobre los planos",
      "y {sum} se habían anotado dos veces",
      "y se alabó el buen orden del archivo",
      "y se oía un ruido del ventilador del tejado",
      "y la pintura se cae por el lado norte",
      "y faltaba la página firmada del acta",
      "y se propuso una ruta nueva alrededor del puente",
      "y dos conductores están enfermos hasta {month}",
      "y la más barata de tres ofertas era de {sum}",
      "y se recordó la promesa hecha antes del verano",
    ],
    steps: [
      "{person2} volverá a mirarlo antes de que acabe {month}.",
      "El punto sigue abierto hasta que venga el fontanero.",
      "Una fotografía se guarda bajo {code}.",
      "Nadie se opuso, así que la propuesta vale como aceptada.",
      "El coste de {sum} se reparte a partes iguales.",
      "{person2} pidió una copia y la recibió el mismo día.",
      "Se acordó esperar a que mejore el tiempo.",
      "El proveedor prometió un recambio en {days} días.",
      "Esto no cambia las fechas ya fijadas.",
      "La presidencia dio las gracias a todos y cerró el punto.",
      "Consta en la lista de riesgos bajo {code}.",
    ],
  },
  firms: [
    list(
      "Alba, Barran, Cala, Duna, Encina, Fuente, Garza, Higuera, Isla, Jara, Lagar, Monte, Noria, Olmo, Piedra, Quinta, Roble, Sierra, Torre, Umbría, Valle, Yedra, Zarza, Retama",
    ),
    list("blanca, clara, dulce, fría, honda, llana, nueva, parda, roja, verde"),
    "SL",
  ],
  people: [
    list(
      "Amparo, Benito, Carmela, Damián, Elvira, Fermín, Gloria, Hugo, Irene, Jacinto, Leocadia, Marcial, Nuria, Octavio",
    ),
    list(
      "Abascal, Bermejo, Carrizo, Dorado, Echeverría, Figueras, Galdós, Herrero, Iriarte, Jurado, Ledesma, Moncada, Novoa, Ordóñez, Palacios, Quesada",
    ),
  ],
  towns: list(
    "Bilbao, Cádiz, Gijón, Lugo, Murcia, Soria, Teruel, Zamora, Huesca, Cuenca, Burgos, Jaén",
  ),
  streets: list(
    "calle del Molino 12, calle de la Fundición 4, paseo del Puerto 77, pasaje de la Capilla 31, plaza de la Estación 9, camino del Huerto 58, orilla del Canal 120, patio de los Curtidores 3",
  ),
  banks: list("Caja del Ebro, Banco de la Ribera, Crédito Cantábrico, Caja de la Meseta"),
  amount: (sum) => `${sum} euros`,
};
